import { sheaf } from '../lib/client.ts';

/** So many of each are asked for; lib/early.ts asks in the same words. */
const count = 8;

export const recentNotesQuery = {
  queryKey: ['notes', 'recent'],
  queryFn: () => sheaf.note.list_note({ cursor: '', limit: count }),
};
export const firstBasesQuery = {
  queryKey: ['bases', 'first'],
  queryFn: () => sheaf.wiki.search_knowledge_base({ query: '', cursor: '', limit: count }),
};
export const recentSheetsQuery = {
  queryKey: ['sheets', 'recent'],
  queryFn: () => sheaf.manage.list_files({ cursor: '', limit: count }),
};
