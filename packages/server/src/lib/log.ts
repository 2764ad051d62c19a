/** The few verbs of a structured logger that the product uses; pino fits it as it is. An error is the field `err`. */
export interface Log {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

interface ToldError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ToldError;
}

/**
 * What a log says of an error: what it is, where it came from and what was behind it. Not the other properties that libraries
 * put on theirs, which may hold what a caller sent.
 */
export function toldError(error: unknown): ToldError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code: String(code) }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: toldError(error.cause) }),
  };
}
