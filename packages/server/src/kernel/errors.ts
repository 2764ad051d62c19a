/**
 * Code throws errors by word; each module has one table that maps words to numeric codes.
 * The words below belong to the kernel, and every module's table must map each of them.
 */
export const commonErrorNames = [
  'invalid_parameter',
  'unauthenticated',
  'rate_limited',
  'suspended',
  'no_permission',
  'unknown_operation',
  'conflict',
  'busy',
  'internal',
] as const;

export type CommonErrorName = (typeof commonErrorNames)[number];

export interface ErrorEntry {
  readonly code: number;
  readonly meaning: string;
  /** For a code that the specification lists but this server never returns: the reason. */
  readonly never?: string;
}

export type ErrorTable = Readonly<Record<CommonErrorName, ErrorEntry>> & Readonly<Record<string, ErrorEntry>>;

/** An error that the caller can act on. Any other thrown error is a server fault and is answered as `internal`. */
export class Failure extends Error {
  readonly word: string;
  /** Seconds after which the caller may retry. */
  readonly retryAfter: number | undefined;
  /** Machine-readable details in addition to the code. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The OAuth scopes that the refused call requires. */
  readonly scope: string | undefined;

  constructor(word: string, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'Failure';
    this.word = word;
    this.retryAfter = options.retryAfter;
    this.data = options.data ?? {};
    this.scope = options.scope;
  }
}

interface FailureOptions {
  retryAfter?: number;
  data?: Readonly<Record<string, unknown>>;
  scope?: string;
  cause?: unknown;
}

export function fail(word: string, message: string, options?: FailureOptions): Failure {
  return new Failure(word, message, options);
}
