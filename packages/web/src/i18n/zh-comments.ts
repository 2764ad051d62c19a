import type { enComments } from './en-comments.ts';
import { comments } from './zh/comments.ts';

export const zhComments: Record<keyof typeof enComments, string> = comments;
