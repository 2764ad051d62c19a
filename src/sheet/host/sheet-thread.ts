import { Worker, type WorkerOptions } from 'node:worker_threads';
import { inBackground, later } from '../../lib/background.ts';
import { fail } from '../../operation/errors.ts';
import { shortageOf } from '../../ports/unavailable.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';

/** Past this a thread that does not answer is taken for stuck; the engine's own budget ends honest work long before. */
const silenceMs = 15_000;

interface Asked {
  readonly request: WorkerRequest;
  readonly patienceMs: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  /** While it waits for its turn: when to look for another thread. */
  timer?: NodeJS.Timeout | undefined;
}

/** The thread died with this request: what it held is rebuilt from the log at the next use. */
export class ThreadLost extends Error {}

/** The request waited for its turn behind something long, and somebody else could do it now. */
export class Crowded extends Error {}

export interface Patience {
  /** How long the work itself may take. */
  readonly workMs?: number;
  /** Rather than wait longer than `afterMs` for its turn, the request is refused with Crowded when `elsewhere` says so. */
  readonly turn?: { readonly afterMs: number; elsewhere(): boolean };
}

/** A thread that does one thing after the other, restarted when it crashes or hangs. What waits can still go elsewhere. */
export class SheetThread {
  readonly #script: string;
  readonly #options: WorkerOptions;
  readonly #onLost: () => void;
  readonly #waiting: Asked[] = [];
  #current: (Asked & { silence: NodeJS.Timeout }) | undefined;
  #worker: Worker | undefined;
  #isClosed = false;
  #idleSince = 0;
  readonly #silenceMs: number;

  constructor(script: string, onLost: () => void, options: WorkerOptions = {}, givenSilenceMs = silenceMs) {
    this.#script = script;
    this.#onLost = onLost;
    this.#options = { resourceLimits: { maxOldGenerationSizeMb: 4096 }, ...options };
    this.#silenceMs = givenSilenceMs;
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /** Starts the thread before anybody needs it. */
  warm(): void {
    if (!this.#isClosed) this.#worker ??= this.#start();
  }

  ask<Request extends WorkerRequest>(
    request: Request,
    { workMs = this.#silenceMs, turn }: Patience = {},
  ): Promise<WorkerAnswer<Request['do']>> {
    if (this.#isClosed) return Promise.reject(new ThreadLost('the server is stopping'));
    return new Promise((resolve, reject) => {
      const asked: Asked = { request, patienceMs: workMs, resolve: resolve as (answer: never) => void, reject };
      if (!this.#current) {
        this.#begin(asked);
        return;
      }
      this.#waiting.push(asked);
      if (turn) this.#watch(asked, turn);
    });
  }

  #watch(asked: Asked, turn: NonNullable<Patience['turn']>): void {
    asked.timer = later('looking for another document thread', turn.afterMs, () => {
      if (!turn.elsewhere()) {
        this.#watch(asked, turn);
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(asked), 1);
      asked.reject(new Crowded());
    });
  }

  #begin(asked: Asked): void {
    clearTimeout(asked.timer);
    let worker: Worker;
    try {
      worker = this.#worker ??= this.#start();
    } catch (error) {
      return asked.reject(shortageOf(error));
    }
    const giveUp = (): void => this.#lost(worker, 'a calculation took too long and was ended');
    const silence = later('ending a stuck document thread', asked.patienceMs, giveUp);
    this.#current = { ...asked, silence };
    worker.ref();
    worker.postMessage(asked.request);
  }

  #start(): Worker {
    const worker = new Worker(this.#script, this.#options);
    worker.unref();
    worker.on('message', (message: { answer?: unknown; failure?: { word: string; message: string } }) => {
      const done = this.#current;
      if (!done || this.#worker !== worker) return;
      clearTimeout(done.silence);
      this.#current = undefined;
      const next = this.#waiting.shift();
      // Before anybody hears of the answer: the thread need not wait for that.
      if (next) this.#begin(next);
      else {
        worker.unref();
        this.#idleSince = performance.now();
      }
      if (message.failure) done.reject(fail(message.failure.word, message.failure.message));
      else done.resolve(message.answer as never);
    });
    worker.on('error', (error) => this.#lost(worker, `the document's worker failed: ${error.message}`));
    worker.on('exit', () => this.#lost(worker, "the document's worker ended"));
    return worker;
  }

  #lost(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    inBackground('ending a document thread', () => worker.terminate());
    this.#onLost();
    this.#refuse(reason);
  }

  /** Ends the thread when it was idle for so long; it starts anew when it is next asked. */
  rest(idleMs: number): void {
    if (!this.#worker || this.#current || performance.now() - this.#idleSince < idleMs) return;
    this.#lost(this.#worker, 'the thread rests');
  }

  #refuse(reason: string): void {
    const current = this.#current;
    this.#current = undefined;
    clearTimeout(current?.silence);
    for (const one of [...(current ? [current] : []), ...this.#waiting.splice(0)]) {
      clearTimeout(one.timer);
      one.reject(new ThreadLost(reason));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#refuse('the server is stopping');
    await worker?.terminate();
  }
}
