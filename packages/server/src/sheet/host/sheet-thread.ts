import type { WorkerOptions } from 'node:worker_threads';
import { later } from '../../lib/background.ts';
import { faultOf } from '../../lib/task-failure.ts';
import { Thread, ThreadLost } from '../../lib/thread.ts';
import { fail } from '../../operation/errors.ts';
import { shortageOf } from '../../ports/unavailable.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';

/** Past this a thread that does not answer is taken for stuck; the engine's own budget ends honest work long before. */
const silenceMs = 15_000;

interface Asked {
  readonly request: WorkerRequest;
  readonly workMs: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  /** While it waits for its turn: when to look for another thread. */
  timer?: NodeJS.Timeout | undefined;
}

/** The request waited for its turn behind something long, and somebody else could do it now. */
export class Crowded extends Error {}

/** The thread was lost while the request waited for its turn: nothing of it was done. */
export class NotBegun extends ThreadLost {}

/** What a caller is told whose document was in a thread that is gone. */
export function sentenceOf({ loss }: ThreadLost): string {
  if (loss === 'took too long') return 'a calculation took too long and was ended';
  return loss === 'is closed' ? 'the server is stopping' : "the document's thread failed; it is loaded anew";
}

export interface Patience {
  /** How long the work itself may take. */
  readonly workMs?: number;
  /** Rather than wait longer than `afterMs` for its turn, the request is refused with Crowded when `elsewhere` says so. */
  readonly turn?: { readonly afterMs: number; elsewhere(): boolean };
}

/** A thread that does one thing after the other. What waits can still go elsewhere; what it held is lost with it. */
export class SheetThread {
  readonly #thread: Thread;
  readonly #onLost: () => void;
  readonly #silenceMs: number;
  readonly #waiting: Asked[] = [];
  #isBusy = false;

  constructor(script: string, onLost: () => void, options: WorkerOptions = {}, givenSilenceMs = silenceMs) {
    this.#onLost = onLost;
    this.#silenceMs = givenSilenceMs;
    this.#thread = new Thread({
      name: 'document thread',
      script,
      worker: { resourceLimits: { maxOldGenerationSizeMb: 4096 }, ...options },
      errorOf: (failure) =>
        typeof failure['word'] === 'string' ? fail(failure['word'], failure.message) : faultOf(failure),
      onLost: (lost) => this.#lost(lost),
    });
  }

  get isIdle(): boolean {
    return !this.#isBusy;
  }

  get isStarted(): boolean {
    return this.#thread.isStarted;
  }

  /** Starts the thread before anybody needs it. */
  warm(): void {
    this.#thread.start();
  }

  /** A thread that was ended is gone, and with it its memory. */
  gone(): Promise<void> {
    return this.#thread.gone();
  }

  ask<Request extends WorkerRequest>(
    request: Request,
    { workMs = this.#silenceMs, turn }: Patience = {},
  ): Promise<WorkerAnswer<Request['do']>> {
    return new Promise((resolve, reject) => {
      const asked: Asked = { request, workMs, resolve: resolve as (answer: never) => void, reject };
      if (!this.#isBusy) {
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

  #begin({ request, workMs, timer, resolve, reject }: Asked): void {
    clearTimeout(timer);
    this.#isBusy = true;
    this.#thread.ask<never>(request, { timeoutMs: workMs }).then(
      (answer) => {
        // Before anybody hears of the answer: the thread need not wait for that.
        this.#next();
        resolve(answer);
      },
      (error: unknown) => {
        this.#next();
        reject(error instanceof ThreadLost && error.loss === 'did not start' ? shortageOf(error.cause) : error);
      },
    );
  }

  #next(): void {
    this.#isBusy = false;
    const next = this.#waiting.shift();
    if (next) this.#begin(next);
  }

  /** What waited counted on what the thread held. */
  #lost(lost: ThreadLost): void {
    this.#onLost();
    this.#refuse(new NotBegun('document thread', lost.loss, lost.cause));
  }

  #refuse(reason: Error): void {
    for (const { timer, reject } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(reason);
    }
  }

  /** Ends the thread when it was idle for so long; it starts anew when it is next asked. */
  rest(idleMs: number): void {
    if (this.#thread.rest(idleMs)) this.#onLost();
  }

  async close(): Promise<void> {
    const closed = this.#thread.close();
    this.#refuse(new ThreadLost('document thread', 'is closed'));
    await closed;
  }
}
