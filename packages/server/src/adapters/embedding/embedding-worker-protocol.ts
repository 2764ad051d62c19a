import type { ModelRecord } from './model-record.ts';

export interface ModelFiles {
  weights: Uint8Array;
  tokenizer: string;
}

/** Tasks of the thread that runs the embedding model. */
export type EmbeddingTask =
  /** Loads the model. Must be the first task. */
  | { kind: 'load'; files: ModelFiles; pooling: ModelRecord['pooling']; maxTokens: number }
  /** Computes the vector of a text, a `Float32Array` normalized to length 1. */
  | { kind: 'embed'; text: string };
