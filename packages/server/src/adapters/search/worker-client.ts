import { Thread, ThreadLost } from '../../lib/thread.ts';
import { shortageOf } from '../../ports/unavailable.ts';
import type { Task, WorkerSettings } from './protocol.ts';

/** The error of a task, with SQLite's result code where it had one. */
export class TaskError extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'TaskError';
    this.code = code;
  }
}

const idleMs = 10_000;

/** The thread that makes tokens and writes the index: tasks are done in the order they are asked. */
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
