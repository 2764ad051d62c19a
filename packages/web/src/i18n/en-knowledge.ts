import { knowledge } from './en/knowledge.ts';

/** English translations for the knowledge base pages, by key. zh-knowledge.ts must have the same keys. */
export const enKnowledge = knowledge;
