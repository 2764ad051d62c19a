import { Thread, ThreadLost } from '../../lib/thread.ts';
import { shortageOf } from '../../ports/unavailable.ts';
import type { Task, WorkerSettings } from './protocol.ts';

/** Error of a task, with SQLite's result code if there is one. */
export class TaskError extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'TaskError';
    this.code = code;
  }
}

const idleMs = 10_000;

/** Client of the thread that tokenizes and writes the index; tasks run in order. */
export class WorkerClient {
  readonly #thread: Thread;

  constructor(script: string, settings: WorkerSettings) {
    this.#thread = new Thread({
      name: 'search thread',
      script,
      worker: { workerData: settings, execArgv: [] },
      idleMs,
      endsItself: true,
      errorOf: ({ message, code }) => new TaskError(message, Number(code)),
    });
  }

  async ask(task: Task): Promise<unknown> {
    try {
      return await this.#thread.ask(task);
    } catch (error) {
      throw error instanceof ThreadLost ? (shortageOf(error.cause ?? error) as Error) : error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
