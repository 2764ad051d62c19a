import { Refused } from './refused.ts';

export type EmbeddingFailure =
  | { reason: 'no_answer' }
  | { reason: 'no_vectors'; status: number }
  | { reason: 'too_long' };

/** The endpoint gave no vectors. */
export class EmbeddingFailed extends Refused<EmbeddingFailure> {}

/** Turns texts into vectors that are near each other where the texts mean the same. There is one only where the owner configured it. */
export interface Embedder {
  /** Vectors of different models are never compared. */
  readonly model: string;
  /** One for each text, all of one length. Throws EmbeddingFailed. */
  embed(texts: readonly string[], options: { timeoutMs: number }): Promise<Float32Array[]>;
}
