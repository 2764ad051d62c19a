import { Refused } from './refused.ts';

export type TranscriptionFailure =
  | { reason: 'no_answer' }
  | { reason: 'no_text'; status: number }
  | { reason: 'too_long' };

/** The endpoint did not give a text. */
export class TranscriptionFailed extends Refused<TranscriptionFailure> {}

/** Turns a recording into its words. There is one only where the owner configured an endpoint. */
export interface Transcriber {
  /** Throws TranscriptionFailed. */
  transcribe(
    recording: { bytes: Uint8Array; fileName: string; contentType: string },
    signal: AbortSignal,
  ): Promise<string>;
}
