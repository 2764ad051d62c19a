import { parentPort, type TransferListItem } from 'node:worker_threads';
import { toTaskFailure, type TaskFailure } from './task-failure.ts';
import { currentThreadId } from './thread-cpu-time.ts';
import type { FromThread, ToThread } from './worker-thread.ts';

export interface TaskHandlers<Task> {
  perform(task: Task): unknown;
  /** Converts an error to a message. Default: its message and stack. */
  failureOf?: (error: unknown) => TaskFailure;
  /** Returns the parts of an answer to transfer instead of copy. */
  transferOf?: (value: unknown) => TransferListItem[];
  /** Called after each synchronous answer has been sent. */
  afterAnswer?: () => void;
  /** Closes open resources. Called only in threads with `closesGracefully`. */
  end?: () => void;
}

/**
 * Runs the worker's side of `WorkerThread`: performs tasks in order of arrival. Asynchronous tasks run concurrently.
 */
export function handleTasks<Task>(body: TaskHandlers<Task>): void {
  const { perform, failureOf = toTaskFailure, transferOf, afterAnswer, end } = body;
  const port = parentPort;
  if (!port) throw new Error('this script is the body of a worker thread');
  const send = (message: FromThread, transfer?: TransferListItem[]): void => port.postMessage(message, transfer);
  const threadId = currentThreadId();
  if (threadId !== undefined) send({ threadId });
  port.on('message', (message: ToThread) => {
    if ('end' in message) {
      end?.();
      port.close();
      return;
    }
    const { id, task } = message;
    const refuse = (error: unknown): void => send({ id, failure: failureOf(error) });
    const answer = (value: unknown): void => send({ id, value }, transferOf?.(value));
    try {
      const value = perform(task as Task);
      if (value instanceof Promise) {
        value.then(answer).catch(refuse);
        return;
      }
      answer(value);
    } catch (error) {
      refuse(error);
    }
    afterAnswer?.();
  });
}
