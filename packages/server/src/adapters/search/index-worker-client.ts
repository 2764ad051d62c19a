import { WorkerThread, ThreadTerminated } from '../../lib/worker-thread.ts';
import { toUnavailable } from '../../ports/availability-errors.ts';
import type { IndexTask, WorkerSettings } from './index-worker-protocol.ts';

/** Error of an index worker's task. `code` is SQLite's result code, or 0. */
export class TaskError extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'TaskError';
    this.code = code;
  }
}

const idleMs = 10_000;

/** Client of the thread that tokenizes entries and writes the search index. Tasks run in order. */
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
