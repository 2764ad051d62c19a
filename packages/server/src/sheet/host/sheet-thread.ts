import type { WorkerOptions } from 'node:worker_threads';
import { later } from '../../lib/background.ts';
import { faultOf } from '../../lib/task-failure.ts';
import { Thread, ThreadLost } from '../../lib/thread.ts';
import { fail } from '../../operation/errors.ts';
import { shortageOf } from '../../ports/unavailable.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';

/** A thread that does not answer for this long counts as hung; the engine's budget ends normal work much earlier. */
const silenceMs = 15_000;

interface Asked {
  readonly request: WorkerRequest;
  readonly workMs: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  /** Runs while the request is queued, and then looks for another thread. */
  timer?: NodeJS.Timeout | undefined;
}

/** The request waited too long in the queue, and another thread is free. */
export class Crowded extends Error {}

/** The thread was lost while the request was queued, so the request had no effect. */
export class NotBegun extends ThreadLost {}

/** The error message for a caller whose document thread was lost. */
export function sentenceOf({ loss }: ThreadLost): string {
  if (loss === 'took too long') return 'a calculation took too long and was ended';
  return loss === 'is closed' ? 'the server is stopping' : "the document's thread failed; it is loaded anew";
}

export interface Patience {
  /** Maximum duration of the work itself. */
  readonly workMs?: number;
  /** Rejects with Crowded if the request waits longer than `afterMs` in the queue and `elsewhere` returns true. */
  readonly turn?: { readonly afterMs: number; elsewhere(): boolean };
}

/**
 * A worker thread that runs one request at a time. Queued requests can move to another thread; documents are lost with
 * the thread.
 */
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

  /** Starts the thread in advance. */
  warm(): void {
    this.#thread.start();
  }

  /** Resolves when a terminated thread has ended and its memory is free. */
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
        // Start the next request before resolving, so that the thread does not idle.
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

  /** Rejects the queued requests, because they depend on the thread's documents. */
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

  /** Ends the thread if it has been idle this long; the next request starts it again. */
  rest(idleMs: number): void {
    if (this.#thread.rest(idleMs)) this.#onLost();
  }

  async close(): Promise<void> {
    const closed = this.#thread.close();
    this.#refuse(new ThreadLost('document thread', 'is closed'));
    await closed;
  }
}
