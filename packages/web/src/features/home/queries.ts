import { sheaf } from '../../lib/api-client.ts';

/** Number of entries to fetch of each kind; must match lib/prefetch.ts. */
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
