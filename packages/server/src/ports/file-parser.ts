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
  /** CPU time limit for this file in milliseconds. Default: the parser's general limit. */
  timeoutMs?: number;
  /** Owner of the file, for fair scheduling among owners. */
  caller?: string;
  /** Aborts the work when the caller no longer wants the result. */
  signal?: AbortSignal;
}

/**
 * Decodes untrusted files with limited time and memory. A file can neither block nor crash the process, nor affect
 * other files. Every failure is a FormatError with a code, including `timed_out` and `crashed`. The caller must not use
 * the bytes afterwards, because the parser takes ownership of them.
 */
export interface FileParser {
  parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded>;
  close(): Promise<void>;
}
