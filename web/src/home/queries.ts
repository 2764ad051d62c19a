import { sheaf } from '../lib/client.ts';

export const recentNotesQuery = {
  queryKey: ['notes', 'recent'],
  queryFn: () => sheaf.note.list_note({ cursor: '', limit: 4 }),
};
export const firstBasesQuery = {
  queryKey: ['bases', 'first'],
  queryFn: () => sheaf.wiki.search_knowledge_base({ query: '', cursor: '', limit: 4 }),
};
export const recentSheetsQuery = {
  queryKey: ['sheets', 'recent'],
  queryFn: () => sheaf.manage.list_files({ cursor: '', limit: 4 }),
};
