import type { WorkerOptions } from 'node:worker_threads';
import { runDelayed } from '../../../lib/background-tasks.ts';
import { toError } from '../../../lib/task-failure.ts';
import { WorkerThread, ThreadTerminated } from '../../../lib/worker-thread.ts';
import { fail } from '../../../kernel/errors.ts';
import { toUnavailable } from '../../../ports/availability-errors.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';

/**
 * Time without an answer, in milliseconds, after which a thread counts as hung. Normal work ends much earlier, because
 * the engine stops work that exceeds its budget.
 */
const hangTimeoutMs = 15_000;

interface PendingRequest {
  readonly request: WorkerRequest;
  readonly workMs: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  /**
   * Timer that runs while the request is queued. If it expires and another thread is free, the request is rejected; its
   * document can then be opened in the free thread.
   */
  timer?: NodeJS.Timeout | undefined;
}

/** Thrown when a request waited too long in the queue while another thread is free. */
export class QueueTimeout extends Error {}

/** Thrown when the thread ended while the request was still queued. The request had no effect. */
export class RequestNotStarted extends ThreadTerminated {}

export function threadLossMessage({ loss }: ThreadTerminated): string {
  if (loss === 'took too long') return 'a calculation took too long and was ended';
  return loss === 'is closed' ? 'the server is stopping' : "the document's thread failed; it is loaded anew";
}

export interface RequestTimeouts {
  /** Maximum duration of the work itself. Time in the queue does not count. */
  readonly workMs?: number;
  /**
   * When to move a queued request to another thread. If another thread is free (`hasFreeThread`) after `afterMs` in the
   * queue, the request fails with QueueTimeout, and the caller can send it to that thread.
   */
  readonly move?: { readonly afterMs: number; hasFreeThread(): boolean };
}

/**
 * A worker thread that runs one request at a time. Queued requests can move to another thread. If the thread ends, its
 * documents must be loaded again.
 */
export class QueuedThread {
  readonly #thread: WorkerThread;
  readonly #onLost: () => void;
  readonly #silenceMs: number;
  readonly #waiting: PendingRequest[] = [];
  #isBusy = false;

  constructor(script: string, onLost: () => void, options: WorkerOptions = {}, givenSilenceMs = hangTimeoutMs) {
    this.#onLost = onLost;
    this.#silenceMs = givenSilenceMs;
    this.#thread = new WorkerThread({
      name: 'document thread',
      script,
      worker: { resourceLimits: { maxOldGenerationSizeMb: 4096 }, ...options },
      errorOf: (failure) =>
        typeof failure['word'] === 'string' ? fail(failure['word'], failure.message) : toError(failure),
      onTerminated: (lost) => this.#lost(lost),
    });
  }

  get isIdle(): boolean {
    return !this.#isBusy;
  }

  get isStarted(): boolean {
    return this.#thread.isStarted;
  }

  /** Starts the thread before its first request, so that the request need not wait for the start. */
  start(): void {
    this.#thread.start();
  }

  /** Resolves when a terminated thread has ended and its memory is freed. */
  whenTerminated(): Promise<void> {
    return this.#thread.exited();
  }

  send<Request extends WorkerRequest>(
    request: Request,
    { workMs = this.#silenceMs, move }: RequestTimeouts = {},
  ): Promise<WorkerAnswer<Request['do']>> {
    return new Promise((resolve, reject) => {
      const asked: PendingRequest = { request, workMs, resolve: resolve as (answer: never) => void, reject };
      if (!this.#isBusy) {
        this.#sendNow(asked);
        return;
      }
      this.#waiting.push(asked);
      if (move) this.#watch(asked, move);
    });
  }

  #watch(asked: PendingRequest, turn: NonNullable<RequestTimeouts['move']>): void {
    asked.timer = runDelayed('looking for another document thread', turn.afterMs, () => {
      if (!turn.hasFreeThread()) {
        this.#watch(asked, turn);
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(asked), 1);
      asked.reject(new QueueTimeout());
    });
  }

  #sendNow({ request, workMs, timer, resolve, reject }: PendingRequest): void {
    clearTimeout(timer);
    this.#isBusy = true;
    this.#thread.run<never>(request, { timeoutMs: workMs }).then(
      (answer) => {
        // Start the next request before resolving this one, so that the thread does not wait while the answer is
        // processed.
        this.#next();
        resolve(answer);
      },
      (error: unknown) => {
        this.#next();
        reject(
          error instanceof ThreadTerminated && error.loss === 'did not start' ? toUnavailable(error.cause) : error,
        );
      },
    );
  }

  #next(): void {
    this.#isBusy = false;
    const next = this.#waiting.shift();
    if (next) this.#sendNow(next);
  }

  /** Called when the thread ended. Rejects all queued requests, because their documents were lost with the thread. */
  #lost(lost: ThreadTerminated): void {
    this.#onLost();
    this.#refuse(new RequestNotStarted('document thread', lost.loss, lost.cause));
  }

  #refuse(reason: Error): void {
    for (const { timer, reject } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(reason);
    }
  }

  /** Ends the thread if it was idle for `idleMs`. The next request starts it again. */
  endIfIdle(idleMs: number): void {
    if (this.#thread.stopIfIdle(idleMs)) this.#onLost();
  }

  async close(): Promise<void> {
    const closed = this.#thread.close();
    this.#refuse(new ThreadTerminated('document thread', 'is closed'));
    await closed;
  }
}
