import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { fail } from '../../operation/errors.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';

const mostThreads = 4;
/** Past this a thread that does not answer is taken for stuck; the engine's own budget ends honest work long before. */
const silenceMs = 15_000;

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** A thread that holds documents, restarted when it crashes or hangs. */
export class SheetThread {
  readonly #script: string;
  readonly #onLost: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #next = 1;

  constructor(script: string, onLost: () => void) {
    this.#script = script;
    this.#onLost = onLost;
  }

  ask<Request extends WorkerRequest>(request: Request, patienceMs = silenceMs): Promise<WorkerAnswer<Request['do']>> {
    const worker = (this.#worker ??= this.#start());
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#lost(worker, 'a calculation took too long and was ended'), patienceMs);
      this.#waiting.set(id, { resolve: resolve as (answer: never) => void, reject, timer });
      worker.ref();
      worker.postMessage({ id, request });
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: { maxOldGenerationSizeMb: 4096 } });
    worker.unref();
    worker.on('message', (message: { id: number; answer?: unknown; failure?: { word: string; message: string } }) => {
      const waiting = this.#waiting.get(message.id);
      if (!waiting) return;
      this.#waiting.delete(message.id);
      clearTimeout(waiting.timer);
      if (this.#waiting.size === 0) worker.unref();
      if (message.failure) waiting.reject(fail(message.failure.word, message.failure.message));
      else waiting.resolve(message.answer as never);
    });
    worker.on('error', (error) => this.#lost(worker, `the document's worker failed: ${error.message}`));
    worker.on('exit', () => this.#lost(worker, 'the document\'s worker ended'));
    return worker;
  }

  #lost(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#onLost();
    for (const one of waiting) {
      clearTimeout(one.timer);
      one.reject(new ThreadLost(reason));
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const one of this.#waiting.values()) clearTimeout(one.timer);
    await worker?.terminate();
  }
}

/** The thread died with this request: what it held is rebuilt from the log at the next use. */
export class ThreadLost extends Error {}

/** The threads that hold documents; a document always goes to the same one. */
export class WorkerThreads {
  readonly #threads: SheetThread[];

  constructor(script: string, onLost: (thread: number) => void) {
    const count = Math.max(1, Math.min(mostThreads, availableParallelism() - 1));
    this.#threads = Array.from({ length: count }, (_, index) => new SheetThread(script, () => onLost(index)));
  }

  threadOf(file: string): number {
    let hash = 0;
    for (let i = 0; i < file.length; i++) hash = (Math.imul(hash, 31) + file.charCodeAt(i)) >>> 0;
    return hash % this.#threads.length;
  }

  ask<Request extends WorkerRequest>(request: Request, patienceMs?: number): Promise<WorkerAnswer<Request['do']>> {
    return this.#threads[this.threadOf(request.file)]!.ask(request, patienceMs);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
