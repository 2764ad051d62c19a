/** A failed task as it travels between threads: errors lose what is not their message on the way. */
export interface TaskFailure {
  message: string;
  [detail: string]: unknown;
}

/** What a task failed with, for the log: the stack is that of the thread it was thrown in. */
export function faultOf({ message, stack }: TaskFailure): Error {
  const error = new Error(message);
  if (typeof stack === 'string') error.stack = stack;
  return error;
}

/** How a fault travels between threads; `faultOf` makes an error of it again. */
export function faultToSend(error: unknown): TaskFailure {
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
}
