/**
 * A failed task as a message between threads. The Error object itself is not sent, because structured cloning would
 * drop its additional properties.
 */
export interface TaskFailure {
  message: string;
  [detail: string]: unknown;
}

/** Converts a failure back to an Error for the log, with the stack of the thread that threw it. */
export function toError({ message, stack }: TaskFailure): Error {
  const error = new Error(message);
  if (typeof stack === 'string') error.stack = stack;
  return error;
}

/** Converts an error to a message between threads; `toError` converts it back. */
export function toTaskFailure(error: unknown): TaskFailure {
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
}
