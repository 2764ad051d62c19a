/**
 * Structured logger, with only the methods that this server uses; pino implements it. Errors go into the field `err`.
 */
export interface Logger {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

interface SerializedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: SerializedError;
}

/**
 * Serializes an error for the log: type, message, code, stack and cause. Omits other properties, because libraries may
 * put a caller's data into them.
 */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code: String(code) }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
