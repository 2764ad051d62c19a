import { parentPort, type TransferListItem } from 'node:worker_threads';
import { toTaskFailure, type TaskFailure } from './task-failure.ts';
import { currentThreadId } from './thread-cpu-time.ts';
import type { FromThread, ToThread } from './worker-thread.ts';

export interface TaskHandlers<Task> {
  perform(task: Task): unknown;
  /** Converts a task's error to the message that is sent to the main thread. Default: the error's message and stack. */
  failureOf?: (error: unknown) => TaskFailure;
  /**
   * Returns the objects in an answer whose memory is transferred to the main thread instead of copied. Default: none.
   */
  transferOf?: (value: unknown) => TransferListItem[];
  /** Called after the answer of each synchronous task has been sent, for work that must not delay the answer. */
  afterAnswer?: () => void;
  /** Closes open resources before the thread ends. Called only if the thread was created with `closesGracefully`. */
  end?: () => void;
}

/**
 * Handles tasks inside a worker thread that `WorkerThread` has started. Tasks start in order of arrival; asynchronous
 * tasks run concurrently.
 */
export function handleWorkerTasks<Task>(body: TaskHandlers<Task>): void {
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
