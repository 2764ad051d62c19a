import { Worker, type WorkerOptions } from 'node:worker_threads';
import { runInBackground, runDelayed, reportBackgroundError } from './background-tasks.ts';
import { toError, type TaskFailure } from './task-failure.ts';
import { limitCpuTime } from './cpu-time-limit.ts';
import { threadCpuMs } from './thread-cpu-time.ts';

/** Message to a worker thread: a task with an id for its answer, or the request to end. */
export type ToThread = { id: number; task: unknown } | { end: true };

/**
 * Message from a worker thread: its system thread id, a task's answer or failure, or a message that answers no task.
 */
export type FromThread =
  | { threadId: number }
  | { id: number; value: unknown }
  | { id: number; failure: TaskFailure }
  | { said: unknown };

type TerminationReason = 'did not start' | 'crashed' | 'took too long' | 'rests' | 'is closed';

/**
 * Error of a task whose thread could not start or has ended. A thread that ends loses its state and all pending tasks.
 * Unless the `WorkerThread` was closed, the next task starts a new thread.
 */
export class ThreadTerminated extends Error {
  readonly loss: TerminationReason;

  constructor(name: string, loss: TerminationReason, cause?: unknown) {
    super(`the ${name} ${loss}${cause instanceof Error ? `: ${cause.message}` : ''}`, { cause });
    this.name = 'ThreadTerminated';
    this.loss = loss;
  }
}

export interface WorkerThreadOptions {
  /** Name of the thread for errors and the log, for example "search thread". */
  name: string;
  script: string | URL;
  worker?: WorkerOptions;
  /**
   * Whether environment variables and the console are hidden from the thread. Set for threads that process untrusted
   * text or secrets.
   */
  isIsolated?: boolean;
  /**
   * Whether a task's timeout is measured in CPU time, if the system reports it, because elapsed time varies with the
   * machine's load (`limitCpuTime`). Otherwise elapsed time is measured.
   */
  measuresCpuTime?: boolean;
  /**
   * Idle time in milliseconds after which the thread is ended to free its memory (about ten megabytes). Default: never.
   */
  idleMs?: number;
  /**
   * Whether the thread is ended by a message, so that it can close its resources. Otherwise it is terminated at once.
   */
  closesGracefully?: boolean;
  errorOf?: (failure: TaskFailure) => Error;
  onMessage?: (said: never) => void;
  /** Called when the thread ends unexpectedly. Not called on `close` or when the thread is ended because it is idle. */
  onTerminated?: (lost: ThreadTerminated) => void;
}

interface Pending {
  readonly answered: Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly timeoutMs: number | undefined;
  /** Stops checking the task's time limit. */
  endWatch: () => void;
}

const isolation: WorkerOptions = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true };

/**
 * A worker thread that performs tasks and returns a result for each. It starts with the first task, starts again after
 * a crash or timeout, and keeps the process alive only while it has tasks. A task that exceeds its timeout terminates
 * the thread, because nothing else can stop an endless loop.
 */
export class WorkerThread {
  readonly #options: WorkerThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #threadId: number | undefined;
  #isOnline = false;
  #isClosed = false;
  #nextId = 1;
  #idle: NodeJS.Timeout | undefined;
  #idleSince = 0;
  #ending: Promise<void> = Promise.resolve();

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  get load(): number {
    return this.#pending.size;
  }

  /**
   * Starts the thread if it is not running. Callers may use this so that the first task need not wait for the start.
   * Throws ThreadTerminated if this object is closed or the system cannot start a thread.
   */
  start(): void {
    if (this.#isClosed) throw this.#terminated('is closed');
    try {
      this.#worker ??= this.#spawn();
    } catch (error) {
      throw this.#terminated('did not start', error);
    }
  }

  /**
   * Performs a task in the thread and returns its answer. `timeoutMs` counts from when the thread is running, because
   * starting it can take long on a busy machine.
   */
  run<Value>(task: unknown, { timeoutMs }: { timeoutMs?: number } = {}): Promise<Value> {
    try {
      this.start();
    } catch (error) {
      return Promise.reject(error);
    }
    const worker = this.#worker!;
    clearTimeout(this.#idle);
    const id = this.#nextId++;
    let resolve!: (value: Value) => void;
    let reject!: (error: Error) => void;
    const answered = new Promise<Value>((onAnswer, onError) => {
      resolve = onAnswer;
      reject = onError;
    });
    const pending: Pending = { answered, resolve, reject, timeoutMs, endWatch: () => undefined };
    this.#pending.set(id, pending);
    if (this.#isOnline) this.#watch(worker, pending);
    worker.ref();
    worker.postMessage({ id, task } satisfies ToThread);
    return answered;
  }

  #spawn(): Worker {
    const { script, worker: given, isIsolated } = this.#options;
    const worker = new Worker(script, isIsolated ? { ...isolation, ...given } : given);
    if (isIsolated) {
      worker.stdout.resume();
      worker.stderr.resume();
    }
    worker.unref();
    worker.on('online', () => {
      if (this.#worker !== worker) return;
      this.#isOnline = true;
      for (const pending of this.#pending.values()) this.#watch(worker, pending);
    });
    worker.on('message', (message: FromThread) => {
      if (this.#worker === worker) this.#onMessage(worker, message);
    });
    worker.on('error', (error) => {
      if (this.#worker === worker)
        this.#terminate(this.#terminated(this.#isOnline ? 'crashed' : 'did not start', error));
    });
    worker.on('exit', (code) => {
      if (this.#worker === worker)
        this.#terminate(this.#terminated('crashed', new Error(`it ended with code ${code}`)));
    });
    return worker;
  }

  #watch(worker: Worker, pending: Pending): void {
    const { timeoutMs } = pending;
    if (timeoutMs === undefined) return;
    pending.endWatch = limitCpuTime({
      name: `ending a slow ${this.#options.name}`,
      limitMs: timeoutMs,
      readCpuMs: () => this.#cpuMs(),
      onExceeded: () => {
        if (this.#worker === worker) this.#terminate(this.#terminated('took too long'));
      },
    });
  }

  #cpuMs(): number | undefined {
    const { measuresCpuTime } = this.#options;
    return measuresCpuTime && this.#threadId !== undefined ? threadCpuMs(this.#threadId) : undefined;
  }

  #onMessage(worker: Worker, message: FromThread): void {
    if ('threadId' in message) {
      this.#threadId = message.threadId;
      return;
    }
    if ('said' in message) {
      this.#options.onMessage?.(message.said as never);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    pending.endWatch();
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) {
      worker.unref();
      this.#idleSince = performance.now();
      const { idleMs, name } = this.#options;
      if (idleMs !== undefined)
        this.#idle = runDelayed(`ending the idle ${name}`, idleMs, () => this.stopIfIdle()).unref();
    }
    if (!('failure' in message)) pending.resolve(message.value as never);
    else pending.reject(this.#options.errorOf?.(message.failure) ?? toError(message.failure));
  }

  /** Waits until ended workers have exited and their memory is free. */
  exited(): Promise<void> {
    return this.#ending;
  }

  /**
   * Ends the thread if it has been idle for at least `idleMs`. Returns whether the thread was ended. The next task
   * starts a new thread.
   */
  stopIfIdle(idleMs = 0): boolean {
    if (!this.#worker || !this.isIdle || performance.now() - this.#idleSince < idleMs) return false;
    this.#detach(false);
    return true;
  }

  /** Ends the thread permanently. Finishes pending tasks first if `closesGracefully` is set; otherwise rejects them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#options.closesGracefully)
      await Promise.allSettled([...this.#pending.values()].map(({ answered }) => answered));
    this.#detach(false);
    this.#rejectAll(this.#terminated('is closed'));
    await this.#ending;
  }

  #terminated(loss: TerminationReason, cause?: unknown): ThreadTerminated {
    return new ThreadTerminated(this.#options.name, loss, cause);
  }

  #terminate(lost: ThreadTerminated): void {
    this.#detach(true);
    this.#options.onTerminated?.(lost);
    this.#rejectAll(lost);
  }

  /**
   * Ends the current worker and ignores its later events. With `byForce` the worker is terminated even if
   * `closesGracefully` is set.
   */
  #detach(byForce: boolean): void {
    const worker = this.#worker;
    clearTimeout(this.#idle);
    this.#worker = undefined;
    this.#threadId = undefined;
    this.#isOnline = false;
    if (!worker) return;
    const { name, closesGracefully } = this.#options;
    const before = this.#ending;
    this.#ending = runInBackground(`ending a ${name}`, async () => {
      await (byForce || !closesGracefully ? worker.terminate() : shutDown(worker, name));
      await before;
    });
  }

  #rejectAll(lost: ThreadTerminated): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { endWatch, reject } of all) {
      endWatch();
      reject(lost);
    }
  }
}

function shutDown(worker: Worker, name: string): Promise<void> {
  // Keep the process alive until the worker has ended, so that the worker can close its resources. An idle worker does
  // not keep the process alive.
  worker.ref();
  worker.on('error', (error) => reportBackgroundError(`ending a ${name}`, error));
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage({ end: true } satisfies ToThread);
  });
}
