import { Worker } from 'node:worker_threads';
import { inBackground, later } from '../../lib/background.ts';
import { shortageOf } from '../../ports/unavailable.ts';
import type { Answer, Request, Task, WorkerSettings } from './protocol.ts';

/** The error of a task, with SQLite's result code where it had one. */
export class TaskError extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'TaskError';
    this.code = code;
  }
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

const idleMs = 10_000;

/** Asks the worker thread and waits. Tasks are done in the order they are asked. A thread that dies is replaced, an idle one ended. */
export class WorkerClient {
  readonly #script: string;
  readonly #settings: WorkerSettings;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #next = 1;
  #idle: NodeJS.Timeout | undefined;
  #retired: Promise<void> | undefined;
  #closed = false;

  constructor(script: string, settings: WorkerSettings) {
    this.#script = script;
    this.#settings = settings;
  }

  ask(task: Task): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('the search index is closed'));
    return this.#post(task);
  }

  #post(task: Task): Promise<unknown> {
    clearTimeout(this.#idle);
    let worker: Worker;
    try {
      worker = this.#worker ??= this.#start();
    } catch (error) {
      return Promise.reject(shortageOf(error));
    }
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      // An idle worker must not keep the process alive, one that is working must.
      worker.ref();
      worker.postMessage({ number, task } satisfies Request);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { workerData: this.#settings, execArgv: [] });
    let failure: Error | undefined;
    worker.on('message', (answer: Answer) => this.#answered(worker, answer));
    worker.on('error', (error: Error) => {
      failure = shortageOf(error) as Error;
    });
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) reject(failure ?? new Error(`the search worker ended with code ${code}`));
    });
    return worker;
  }

  #answered(worker: Worker, { number, value, error }: Answer): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) {
      worker.unref();
      if (worker === this.#worker && !this.#closed) {
        this.#idle = later('ending the idle search thread', idleMs, () => this.#retire(worker)).unref();
      }
    }
    if (!waiting) return;
    if (error) waiting.reject(new TaskError(error.message, error.code));
    else waiting.resolve(value);
  }

  /** A thread holds some ten megabytes; the next task starts another. */
  #retire(worker: Worker): void {
    if (this.#worker !== worker || this.#waiting.size > 0) return;
    this.#worker = undefined;
    this.#retired = inBackground('ending the idle search thread', () => ended(worker));
    worker.postMessage({ number: 0, task: { kind: 'close' } } satisfies Request);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#retired;
    const worker = this.#worker;
    if (!worker) return;
    const gone = ended(worker);
    await this.#post({ kind: 'close' });
    worker.ref();
    await gone;
  }
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.once('exit', () => resolve()));
}
