import { z } from 'zod';
import { sha256 } from '../../lib/hash.ts';

const storedFile = z.object({ blobKey: z.string(), bytes: z.int().positive(), sha256: z.string() });

/**
 * Record of the installed embedding model. The model's files are in the blob store, so all nodes and backups have them.
 */
export const modelRecord = z.object({
  name: z.string().min(1).max(100),
  /** Folder name or URL from which the model was installed. */
  source: z.string(),
  /** How the token vectors of a text are combined into one vector: by their mean, or by taking the first one. */
  pooling: z.enum(['mean', 'cls']),
  /** Texts that the model expects before a query and before a passage. */
  queryPrefix: z.string().max(200),
  passagePrefix: z.string().max(200),
  maxTokens: z.int().min(8).max(8192),
  share: z.number().min(0).max(5),
  baseline: z.number().min(0).max(0.95),
  weights: storedFile,
  /** JSON file with the contents of tokenizer.json and tokenizer_config.json. */
  tokenizer: storedFile,
});

export type ModelRecord = z.output<typeof modelRecord>;
export type ModelSettings = Omit<ModelRecord, 'weights' | 'tokenizer'>;

/**
 * Returns the model name under which vectors are stored. It includes a hash of all properties that affect the vectors,
 * so that a changed model gets a new name.
 */
export function vectorModelName({
  name,
  weights,
  tokenizer,
  pooling,
  queryPrefix,
  passagePrefix,
}: ModelRecord): string {
  const parts = [weights.sha256, tokenizer.sha256, pooling, queryPrefix, passagePrefix];
  return `${name}@${sha256(JSON.stringify(parts)).slice(0, 16)}`;
}
