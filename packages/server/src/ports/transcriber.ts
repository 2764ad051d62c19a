import { RefusalError } from './refusal-error.ts';

export type TranscriptionFailure =
  | { reason: 'no_answer' }
  | { reason: 'no_text'; status: number }
  | { reason: 'too_long' };

export class TranscriptionFailed extends RefusalError<TranscriptionFailure> {}

/** Transcribes audio. Exists only if an endpoint is configured. */
export interface Transcriber {
  /** Returns the text of a recording. Throws TranscriptionFailed. */
  transcribe(
    recording: { bytes: Uint8Array; fileName: string; contentType: string },
    signal: AbortSignal,
  ): Promise<string>;
}
