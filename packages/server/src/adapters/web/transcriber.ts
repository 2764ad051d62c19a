import { fetch as send, FormData } from 'undici';
import { TranscriptionFailed, type Transcriber } from '../../ports/transcriber.ts';
import { readLimitedText } from './read-limited-text.ts';

const maxMs = 10 * 60_000;
const maxAnswerLength = 16 * 2 ** 20;

export interface TranscriberOptions {
  /** The full URL, e.g. `http://127.0.0.1:8000/v1/audio/transcriptions`. It may be private, because the owner chose it. */
  url: string;
  key: string | undefined;
  model: string;
}

/** Client for the common transcription API: a form with `file` and `model`, a response with `text`. */
export class HttpTranscriber implements Transcriber {
  readonly #options: TranscriberOptions;

  constructor(options: TranscriberOptions) {
    this.#options = options;
  }

  async transcribe(
    recording: { bytes: Uint8Array; fileName: string; contentType: string },
    signal: AbortSignal,
  ): Promise<string> {
    const { url, key, model } = this.#options;
    const form = new FormData();
    form.set(
      'file',
      new Blob([recording.bytes as Uint8Array<ArrayBuffer>], { type: recording.contentType }),
      recording.fileName,
    );
    form.set('model', model);
    form.set('response_format', 'json');
    let status: number;
    let body: string | undefined;
    try {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const answer = await send(url, {
        method: 'POST',
        body: form,
        headers,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]),
      });
      status = answer.status;
      body = await readLimitedText(answer.body ?? [], maxAnswerLength);
    } catch (error) {
      throw new TranscriptionFailed({ reason: 'no_answer' }, error);
    }
    if (body === undefined) throw new TranscriptionFailed({ reason: 'too_long' });
    const text = status === 200 ? textIn(body) : undefined;
    if (text === undefined) throw new TranscriptionFailed({ reason: 'no_text', status });
    return text;
  }
}

function textIn(body: string): string | undefined {
  try {
    const answer = JSON.parse(body) as { text?: unknown };
    return typeof answer.text === 'string' ? answer.text : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
