import type { ModelRecord } from './model-record.ts';

export interface ModelFiles {
  weights: Uint8Array;
  tokenizer: string;
}

/** Tasks of the thread that runs the embedding model. */
export type EmbeddingTask =
  /** Loads the model. Must be the first task. */
  | { kind: 'load'; files: ModelFiles; pooling: ModelRecord['pooling']; maxTokens: number }
  /** Returns the vector of a text, normalized to length 1: `Float32Array`. */
  | { kind: 'embed'; text: string };
