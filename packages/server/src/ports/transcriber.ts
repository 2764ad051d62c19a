import { RefusalError } from './refusal-error.ts';

export type TranscriptionFailure =
  | { reason: 'no_answer' }
  | { reason: 'no_text'; status: number }
  | { reason: 'too_long' };

/** Thrown when the endpoint returns no text. */
export class TranscriptionFailed extends RefusalError<TranscriptionFailure> {}

/** Transcribes audio. Exists only if the owner configured an endpoint. */
export interface Transcriber {
  /** Throws TranscriptionFailed. */
  transcribe(
    recording: { bytes: Uint8Array; fileName: string; contentType: string },
    signal: AbortSignal,
  ): Promise<string>;
}
