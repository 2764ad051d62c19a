import { WorkerThread, ThreadTerminated } from '../../lib/worker-thread.ts';
import { toUnavailable } from '../../ports/availability-errors.ts';
import type { IndexTask, WorkerSettings } from './index-worker-protocol.ts';

/**
 * Error with which a task in the worker thread of the search index failed. `code` is SQLite's result code, or 0 if the
 * error does not come from SQLite.
 */
export class TaskError extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'TaskError';
    this.code = code;
  }
}

const idleMs = 10_000;

/**
 * Sends tasks to the worker thread that builds and, on SQLite, writes the search index. Tasks run in the order in which
 * they were sent.
 */
export class IndexWorkerClient {
  readonly #thread: WorkerThread;

  constructor(script: string, settings: WorkerSettings) {
    this.#thread = new WorkerThread({
      name: 'search thread',
      script,
      worker: { workerData: settings, execArgv: [] },
      idleMs,
      closesGracefully: true,
      errorOf: ({ message, code }) => new TaskError(message, Number(code)),
    });
  }

  async run(task: IndexTask): Promise<unknown> {
    try {
      return await this.#thread.run(task);
    } catch (error) {
      throw error instanceof ThreadTerminated ? (toUnavailable(error.cause ?? error) as Error) : error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
