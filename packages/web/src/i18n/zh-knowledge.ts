import type { enKnowledge } from './en-knowledge.ts';
import { knowledge } from './zh/knowledge.ts';

export const zhKnowledge: Record<keyof typeof enKnowledge, string> = knowledge;
