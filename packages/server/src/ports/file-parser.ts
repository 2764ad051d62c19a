import type { Decoded, DecodeOptions } from '@sheaf/files';

export interface ParseOptions extends DecodeOptions {
  /** Time limit for this file in milliseconds. Default: the parser's own. */
  timeoutMs?: number;
  /** Owner of the file, for fair scheduling among owners. */
  caller?: string;
  /** Aborts the work when the caller no longer wants the result. */
  signal?: AbortSignal;
}

/**
 * Decodes untrusted files. Guarantees: a file can neither block nor crash the process, nor affect the decoding of
 * another; time and memory are limited; every failure is a FormatError with a code (including `timed_out` and
 * `crashed`). The parser takes ownership of the bytes: the caller must not use them afterwards.
 */
export interface FileParser {
  parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded>;
  close(): Promise<void>;
}
