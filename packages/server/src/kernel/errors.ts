/**
 * Names of the errors that any call can return. The error table of every module must map each name to a numeric code.
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
  /**
   * Reason why this server never returns this error, for the documentation. Set for errors that the API specification
   * lists but this server does not need.
   */
  readonly never?: string;
}

export type ErrorTable = Readonly<Record<CommonErrorName, ErrorEntry>> & Readonly<Record<string, ErrorEntry>>;

/**
 * An error that the caller can correct or handle. Any other thrown error is a server fault, reported to the caller as
 * `internal`.
 */
export class Failure extends Error {
  readonly word: string;
  readonly retryAfter: number | undefined;
  /** Machine-readable details that the answer contains in addition to the code. */
  readonly data: Readonly<Record<string, unknown>>;
  /**
   * OAuth scopes, separated by spaces, that an app must request to be allowed the refused call. Undefined if no scope
   * would help.
   */
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
