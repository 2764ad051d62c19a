/** The endpoint did not give a text; the message is for the person who waits for it. */
export class TranscriptionFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TranscriptionFailed';
  }
}

/** Turns a recording into its words. There is one only where the owner configured an endpoint. */
export interface Transcriber {
  /** Throws TranscriptionFailed. */
  transcribe(
    recording: { bytes: Uint8Array; fileName: string; contentType: string },
    signal: AbortSignal,
  ): Promise<string>;
}
