import { RefusalError } from './refusal-error.ts';

export type TranscriptionFailure =
  | { reason: 'no_answer' }
  | { reason: 'no_text'; status: number }
  | { reason: 'too_long' };

export class TranscriptionFailed extends RefusalError<TranscriptionFailure> {}

/**
 * Client of a service that converts recorded speech to text. There is none if the installation has not configured such
 * a service.
 */
export interface Transcriber {
  /** Returns the text of a recording. Throws TranscriptionFailed. */
  transcribe(
    recording: { bytes: Uint8Array; fileName: string; contentType: string },
    signal: AbortSignal,
  ): Promise<string>;
}
