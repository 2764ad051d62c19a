import { comments } from './en/comments.ts';

/** English translations for the inbox, note comments and suggestions. zh-comments.ts must have the same keys. */
export const enComments = comments;
