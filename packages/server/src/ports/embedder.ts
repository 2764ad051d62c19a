import { RefusalError } from './refusal-error.ts';

export type EmbeddingFailure =
  | { reason: 'no_answer' }
  | { reason: 'no_vectors'; status: number }
  | { reason: 'too_long' };

/** Thrown when the embedding model returns no vectors. */
export class EmbeddingFailed extends RefusalError<EmbeddingFailure> {}

/** Parameters for converting the cosine similarities of an embedding model to search scores. */
export interface SimilarityScale {
  /**
   * Weight of the similarity in the score of a search hit. It is relative to the score of the best hit by words, which
   * counts as 1.
   */
  readonly share: number;
  /** Cosine that unrelated texts have with this model; it counts as a similarity of 0. */
  readonly baseline: number;
}

/**
 * Computes text embeddings: texts with similar meaning get nearby vectors. An installation has an embedder only if a
 * model endpoint is configured or a model is installed.
 */
export interface Embedder extends SimilarityScale {
  /** Name of the embedding model. Vectors of different models are never compared. */
  readonly model: string;
  /**
   * Returns one vector per text, all of the same length. Throws EmbeddingFailed if the model returns none. Some models
   * treat queries and passages differently, so `as` says which of them the texts are.
   */
  embed(texts: readonly string[], options: { as: 'query' | 'passage'; timeoutMs: number }): Promise<Float32Array[]>;
}
