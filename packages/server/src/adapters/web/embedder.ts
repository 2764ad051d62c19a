import { EmbeddingFailed, type Embedder } from '../../ports/embedder.ts';
import { parseAnswer, postToModel, type ModelEndpoint } from './model-endpoint.ts';

const maxAnswerLength = 32 * 2 ** 20;
/** Maximum length of a vector. It is larger than that of any known model. */
const maxDimensions = 8192;

/**
 * Embeds texts through an HTTP API with the usual format: `model` and `input` in the request, `data[].embedding` in the
 * response.
 */
export class HttpEmbedder implements Embedder {
  readonly share = 0.5;
  readonly baseline = 0;
  readonly #options: ModelEndpoint;
  #failure: unknown;

  constructor(options: ModelEndpoint) {
    this.#options = options;
  }

  get model(): string {
    return this.#options.model;
  }

  get isUp(): boolean {
    return this.#failure === undefined;
  }

  async check(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async embed(texts: readonly string[], options: { timeoutMs: number }): Promise<Float32Array[]> {
    try {
      const vectors = await this.#embed(texts, options);
      this.#failure = undefined;
      return vectors;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async #embed(texts: readonly string[], { timeoutMs }: { timeoutMs: number }): Promise<Float32Array[]> {
    const input = JSON.stringify({ model: this.model, input: texts, encoding_format: 'float' });
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, body } = await postToModel(this.#options, input, { signal, maxLength: maxAnswerLength }).catch(
      (error: unknown) => {
        throw new EmbeddingFailed({ reason: 'no_answer' }, error);
      },
    );
    if (body === undefined) throw new EmbeddingFailed({ reason: 'too_long' });
    const vectors = status === 200 ? vectorsIn(body, texts.length) : undefined;
    if (!vectors) throw new EmbeddingFailed({ reason: 'no_vectors', status });
    return vectors;
  }
}

/**
 * Returns the vectors of a response in the order of the texts. Returns undefined unless there is one numeric vector per
 * text and all have the same length.
 */
function vectorsIn(body: string, count: number): Float32Array[] | undefined {
  const answer = parseAnswer<{ data?: unknown } | null>(body);
  if (!Array.isArray(answer?.data) || answer.data.length !== count) return undefined;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [place, one] of (answer.data as ({ index?: unknown; embedding?: unknown } | null)[]).entries()) {
    const index = typeof one?.index === 'number' ? one.index : place;
    const numbers = one?.embedding;
    if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > maxDimensions) return undefined;
    if (!numbers.every(Number.isFinite) || !Number.isInteger(index) || index < 0 || index >= count) return undefined;
    vectors[index] = Float32Array.from(numbers as number[]);
  }
  const length = vectors[0]?.length;
  return vectors.every((vector): vector is Float32Array => vector?.length === length) ? vectors : undefined;
}
