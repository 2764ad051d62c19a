import type { Decoded, DecodeOptions } from '@sheaf/files';

export interface ParseOptions extends DecodeOptions {
  /** Time limit for this file in milliseconds; defaults to the parser's own. */
  timeoutMs?: number;
  /** Owner of the file, for fair scheduling among owners. */
  caller?: string;
  /** Aborts the work when the caller no longer wants the result. */
  signal?: AbortSignal;
}

/**
 * Decodes untrusted files. Guarantees: a file can neither block nor crash the process, nor affect the decoding of
 * another; time and memory are limited; every failure is a FormatError with a code (including `timed_out` and
 * `crashed`). Ownership of the bytes is transferred: the caller must not use them afterward.
 */
export interface FileParser {
  parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded>;
  close(): Promise<void>;
}
