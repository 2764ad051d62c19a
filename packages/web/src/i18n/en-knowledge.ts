import { knowledge } from './en/knowledge.ts';

/** English texts of the pages of knowledge bases by key. zh-knowledge.ts must have the same keys. */
export const enKnowledge = knowledge;
