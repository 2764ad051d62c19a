import { IdempotencyKeyConflict } from '../../../ports/idempotency-store.ts';
import { Unavailable, NotWritable } from '../../../ports/availability-errors.ts';
import { UniqueViolation } from '../database.ts';

/**
 * Error codes for serialization failure and deadlock. The server has rolled back the transaction, which can be
 * repeated.
 */
const retryable = new Set(['40001', '40P01']);
const uniqueViolation = '23505';
/**
 * Error codes of temporary failures: lost or refused connections, a server that is starting or stopping, too few
 * resources (such as connections or memory), timeouts, and conflicts that remain after all retries.
 */
const temporaryCodes =
  /^(08...|57P0.|57014|53...|55P03|25P03|40001|40P01|ECONN.*|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EMFILE|ENFILE)$/;
const temporaryMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

export function codeOf(error: unknown): string {
  return (error as { code?: string } | undefined)?.code ?? '';
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(codeOf(error));
}

export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === uniqueViolation;
}

/**
 * Returns whether an insert failed because the idempotency key already exists. The primary key is the only constraint
 * of the table `idempotency` that can be violated.
 */
export function isIdempotencyKeyConflict(error: unknown): boolean {
  return isDuplicate(error) && (error as { table?: string }).table === 'idempotency';
}

/**
 * Returns whether the PostgreSQL server reported this error over a connection that still works. If so, the server has
 * rolled back the transaction. If the connection was lost instead, it is unknown whether the transaction was committed.
 */
export function isServerError(error: unknown): boolean {
  const code = codeOf(
    error instanceof UniqueViolation || error instanceof IdempotencyKeyConflict ? error.cause : error,
  );
  // Codes of Node that have five letters, such as EPIPE, begin with E; those of PostgreSQL do not.
  return /^(?!E)[0-9A-Z]{5}$/.test(code) && !/^(08|57P|25P03)/.test(code);
}

/** Error codes with which a PostgreSQL server refuses all writes, and the message for each code. */
const refusals: Readonly<Record<string, string>> = {
  '53100': "the database's disk is full",
  '25006': 'the database is read-only (a standby, or set so)',
};

/**
 * Converts temporary errors to Unavailable, and errors of a server that refuses writes to NotWritable. Returns other
 * errors unchanged.
 */
export function translateError(error: unknown): unknown {
  const refusal = refusals[codeOf(error)];
  if (refusal !== undefined) return new NotWritable(refusal, error);
  const message = error instanceof Error ? error.message : '';
  return temporaryCodes.test(codeOf(error)) || temporaryMessage.test(message)
    ? new Unavailable(`the database cannot answer now: ${message}`, error)
    : error;
}

export function throwTranslated(error: unknown): never {
  throw translateError(error);
}
