import type { Decoded, DecodeOptions } from '@sheaf/files';

/**
 * Minimum size in bytes of a large file. Large files are scheduled separately, so that small files do not wait for
 * them.
 */
const largeFileBytes = 256 * 1024;

export function isLargeFile(bytes: number): boolean {
  return bytes >= largeFileBytes;
}

export interface ParseOptions extends DecodeOptions {
  /** CPU time limit for this file in milliseconds. Default: the parser's own. */
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
