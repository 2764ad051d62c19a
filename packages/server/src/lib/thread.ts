import { Worker, type WorkerOptions } from 'node:worker_threads';
import { inBackground, later, reportFailure } from './background.ts';
import { faultOf, type TaskFailure } from './task-failure.ts';
import { processorMsOf } from './thread-time.ts';

/** What goes to a thread: a task with the id its answer will have, or word that it is to end by itself. */
export type ToThread = { id: number; task: unknown } | { end: true };

/** What comes from a thread: its name, the answer to a task, why there is none, or something it was not asked. */
export type FromThread =
  | { threadId: number }
  | { id: number; value: unknown }
  | { id: number; failure: TaskFailure }
  | { said: unknown };

type Loss = 'did not start' | 'crashed' | 'took too long' | 'rests' | 'is closed';

/** The thread is gone, and with it whatever it held and was doing. The next task starts another. */
export class ThreadLost extends Error {
  readonly loss: Loss;

  constructor(name: string, loss: Loss, cause?: unknown) {
    super(`the ${name} ${loss}${cause instanceof Error ? `: ${cause.message}` : ''}`, { cause });
    this.name = 'ThreadLost';
    this.loss = loss;
  }
}

export interface ThreadOptions {
  /** What it is called in errors and in the log, for example "search thread". */
  name: string;
  script: string | URL;
  worker?: WorkerOptions;
  /** Gets no environment and no console: for what reads strangers' texts or secrets. */
  isIsolated?: boolean;
  /**
   * A task's time is that which the thread had a processor for, where the system tells: what a text costs is the same on a
   * busy machine, how long it takes is not. By the clock it may take `patience` times as long.
   */
  countsProcessorTime?: boolean;
  /** Without work for this long it is ended: a thread holds some ten megabytes. */
  idleMs?: number;
  /** It is told to end and closes what it has open by itself. Without this it is terminated. */
  endsItself?: boolean;
  /** The error of a failed task. */
  errorOf?: (failure: TaskFailure) => Error;
  onSaid?: (said: never) => void;
  /** It is gone, except by `close` and by being idle. */
  onLost?: (lost: ThreadLost) => void;
}

interface Pending {
  readonly answered: Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly timeoutMs: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** How much longer a task may take by the clock than it may by the processor: past it the thread waits for what never comes. */
const patience = 12;
/** Between two looks at the time of a task that is nearly over it. */
const lookMs = 50;

const isolation: WorkerOptions = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true };

/**
 * A worker thread and what is asked of it, answered by id. Started when first needed and again when it was lost; it keeps the
 * process alive while it works and not otherwise. A task that overruns its time ends the thread: nothing else stops a loop.
 */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #threadId: number | undefined;
  #isOnline = false;
  #isClosed = false;
  #nextId = 1;
  #idle: NodeJS.Timeout | undefined;
  #idleSince = 0;
  #ending: Promise<void> = Promise.resolve();

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** How many tasks have no answer yet. */
  get load(): number {
    return this.#pending.size;
  }

  /** Starts the thread before anybody needs it. Throws ThreadLost where the machine has none to give. */
  start(): void {
    if (this.#isClosed) throw this.#lossOf('is closed');
    try {
      this.#worker ??= this.#begin();
    } catch (error) {
      throw this.#lossOf('did not start', error);
    }
  }

  /** `timeoutMs` counts from when the thread runs: on a busy machine its start takes long and is nobody's fault. */
  ask<Value>(task: unknown, { timeoutMs }: { timeoutMs?: number } = {}): Promise<Value> {
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
    const pending: Pending = { answered, resolve, reject, timeoutMs, timer: undefined };
    this.#pending.set(id, pending);
    if (this.#isOnline) this.#watch(worker, pending);
    worker.ref();
    worker.postMessage({ id, task } satisfies ToThread);
    return answered;
  }

  #begin(): Worker {
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
      if (this.#worker === worker) this.#hear(worker, message);
    });
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#lose(this.#lossOf(this.#isOnline ? 'crashed' : 'did not start', error));
    });
    worker.on('exit', (code) => {
      if (this.#worker === worker) this.#lose(this.#lossOf('crashed', new Error(`it ended with code ${code}`)));
    });
    return worker;
  }

  #watch(worker: Worker, pending: Pending): void {
    const { timeoutMs } = pending;
    if (timeoutMs === undefined) return;
    const began = performance.now();
    const before = this.#processorMs() ?? 0;
    const look = (ms: number): void => {
      pending.timer = later(`ending a slow ${this.#options.name}`, ms, () => {
        if (this.#worker !== worker) return;
        const used = this.#processorMs();
        const left = used === undefined ? 0 : timeoutMs - (used - before);
        if (left > 0 && performance.now() - began < patience * timeoutMs) look(Math.max(left, lookMs));
        else this.#lose(this.#lossOf('took too long'));
      });
    };
    look(timeoutMs);
  }

  #processorMs(): number | undefined {
    const { countsProcessorTime } = this.#options;
    return countsProcessorTime && this.#threadId !== undefined ? processorMsOf(this.#threadId) : undefined;
  }

  #hear(worker: Worker, message: FromThread): void {
    if ('threadId' in message) {
      this.#threadId = message.threadId;
      return;
    }
    if ('said' in message) {
      this.#options.onSaid?.(message.said as never);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) {
      worker.unref();
      this.#idleSince = performance.now();
      const { idleMs, name } = this.#options;
      if (idleMs !== undefined) this.#idle = later(`ending the idle ${name}`, idleMs, () => this.rest()).unref();
    }
    if (!('failure' in message)) pending.resolve(message.value as never);
    else pending.reject(this.#options.errorOf?.(message.failure) ?? faultOf(message.failure));
  }

  /** Workers that were let go are gone, and with them their memory. */
  gone(): Promise<void> {
    return this.#ending;
  }

  /** Ends the thread if it was idle for so long, and says whether it did; the next task starts another. */
  rest(idleMs = 0): boolean {
    if (!this.#worker || !this.isIdle || performance.now() - this.#idleSince < idleMs) return false;
    this.#letGo(false);
    return true;
  }

  /** What it was asked is still done where the thread ends itself, and refused where it does not. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#options.endsItself) await Promise.allSettled([...this.#pending.values()].map(({ answered }) => answered));
    this.#letGo(false);
    this.#refuse(this.#lossOf('is closed'));
    await this.#ending;
  }

  #lossOf(loss: Loss, cause?: unknown): ThreadLost {
    return new ThreadLost(this.#options.name, loss, cause);
  }

  #lose(lost: ThreadLost): void {
    this.#letGo(true);
    this.#options.onLost?.(lost);
    this.#refuse(lost);
  }

  /** From here on nobody hears of this worker any more but whoever waits for it to be gone. */
  #letGo(byForce: boolean): void {
    const worker = this.#worker;
    clearTimeout(this.#idle);
    this.#worker = undefined;
    this.#threadId = undefined;
    this.#isOnline = false;
    if (!worker) return;
    const { name, endsItself } = this.#options;
    const before = this.#ending;
    this.#ending = inBackground(`ending a ${name}`, async () => {
      await (byForce || !endsItself ? worker.terminate() : farewell(worker, name));
      await before;
    });
  }

  #refuse(lost: ThreadLost): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { timer, reject } of all) {
      clearTimeout(timer);
      reject(lost);
    }
  }
}

function farewell(worker: Worker, name: string): Promise<void> {
  // The process waits for what is still to be written.
  worker.ref();
  worker.on('error', (error) => reportFailure(`ending a ${name}`, error));
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.postMessage({ end: true } satisfies ToThread);
  });
}
