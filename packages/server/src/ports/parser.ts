import type { Decoded, DecodeOptions } from '@sheaf/files';

export interface ParseOptions extends DecodeOptions {
  /** Milliseconds this file may take; default that of the parser. */
  timeoutMs?: number;
  /** Whose file it is: callers take turns, and none holds up all others. */
  caller?: string;
  /** Ends the work: the caller no longer wants the result. */
  signal?: AbortSignal;
}

/**
 * Decodes files nobody vouches for. Guarantees: one file can neither stall nor end the process, nor hurt the decoding of
 * another; time and memory are capped; every failure is a FormatError with a word (`timed_out` and `crashed` included).
 * The bytes are handed over: the caller must not use them afterward.
 */
export interface Parser {
  parse(bytes: Uint8Array, options: ParseOptions): Promise<Decoded>;
  close(): Promise<void>;
}
