import { FormData } from 'undici';
import { TranscriptionFailed, type Transcriber } from '../../ports/transcriber.ts';
import { parseAnswer, postToModel, type ModelEndpoint } from './model-endpoint.ts';

const maxMs = 10 * 60_000;
const maxAnswerLength = 16 * 2 ** 20;

/**
 * Client for the widespread transcription API: a form with `file` and `model` is sent, and the response contains
 * `text`.
 */
export class HttpTranscriber implements Transcriber {
  readonly #options: ModelEndpoint;

  constructor(options: ModelEndpoint) {
    this.#options = options;
  }

  async transcribe(...[recording, signal]: Parameters<Transcriber['transcribe']>): Promise<string> {
    const form = new FormData();
    form.set(
      'file',
      new Blob([recording.bytes as Uint8Array<ArrayBuffer>], { type: recording.contentType }),
      recording.fileName,
    );
    form.set('model', this.#options.model);
    form.set('response_format', 'json');
    const limits = { signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]), maxLength: maxAnswerLength };
    const { status, body } = await postToModel(this.#options, form, limits).catch((error: unknown) => {
      throw new TranscriptionFailed({ reason: 'no_answer' }, error);
    });
    if (body === undefined) throw new TranscriptionFailed({ reason: 'too_long' });
    const text = status === 200 ? parseAnswer<{ text?: unknown } | null>(body)?.text : undefined;
    if (typeof text !== 'string') throw new TranscriptionFailed({ reason: 'no_text', status });
    return text;
  }
}
