import type { DecodedFile, DecodeOptions } from '@sheaf/files';

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
  /**
   * Id of the user to whom the file belongs. Workers are divided fairly among callers. A file without a caller is
   * scheduled as if its caller had no other files.
   */
  caller?: string;
  /** Signal that stops the decoding of the file when its result is no longer wanted. */
  signal?: AbortSignal;
}

/**
 * Decodes untrusted files with limited time and memory. A file can neither block nor crash the server process, nor
 * affect other files. A failure caused by the file is a FormatError with a code such as `timed_out` or `crashed`.
 * Throws Unavailable if no decoder could be started. Callers must not use the bytes after the call, because the parser
 * takes ownership of them.
 */
export interface FileParser {
  parse(bytes: Uint8Array, options: ParseOptions): Promise<DecodedFile>;
  close(): Promise<void>;
}
