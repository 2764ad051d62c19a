import { RefusalError } from './refusal-error.ts';

export type EmbeddingFailure =
  | { reason: 'no_answer' }
  | { reason: 'no_vectors'; status: number }
  | { reason: 'too_long' };

/** Thrown when the endpoint returns no vectors. */
export class EmbeddingFailed extends RefusalError<EmbeddingFailure> {}

/**
 * Computes text embeddings: texts with similar meaning get nearby vectors. Exists only if an endpoint is configured.
 */
export interface Embedder {
  /** Name of the model. Vectors of different models are never compared. */
  readonly model: string;
  /** Returns one vector per text, all of the same length. Throws EmbeddingFailed. */
  embed(texts: readonly string[], options: { timeoutMs: number }): Promise<Float32Array[]>;
}
