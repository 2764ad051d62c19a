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

  constructor(word: string, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Failure';
    this.word = word;
    this.retryAfter = options.retryAfter;
  }
}

export function fail(word: string, message: string, options?: { retryAfter?: number; cause?: unknown }): Failure {
  return new Failure(word, message, options);
}
