/**
 * Errors are thrown by word; the number lives in one table per module.
 * The words below are the kernel's own: every module's table must give each of them a number.
 */
export const kernelWords = [
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

export type KernelWord = (typeof kernelWords)[number];

export interface ErrorEntry {
  readonly code: number;
  readonly meaning: string;
  /** Why this number is never answered, for numbers that a specification lists but nothing here produces. */
  readonly never?: string;
}

export type ErrorTable = Readonly<Record<KernelWord, ErrorEntry>> & Readonly<Record<string, ErrorEntry>>;

/** A refusal that the caller can act on. Anything else that is thrown is a fault of ours and answers `internal`. */
export class Failure extends Error {
  readonly word: string;
  /** Seconds after which a repeat makes sense. */
  readonly retryAfter: number | undefined;
  /** What a program needs to know of it beside the number. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The scopes with which an app would not have been refused. */
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
