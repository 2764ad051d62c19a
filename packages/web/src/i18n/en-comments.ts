import { comments } from './en/comments.ts';

/** English texts of the inbox, note comments and suggestions, by key. zh-comments.ts must have the same keys. */
export const enComments = comments;
