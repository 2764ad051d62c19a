import { sheaf } from '../../lib/api-client.ts';
import { recentBasesInput, recentInput, writesInput } from '../../lib/first-request-inputs.ts';

export const recentNotesQuery = {
  queryKey: ['notes', 'recent'],
  queryFn: () => sheaf.note.list_note(recentInput),
};
export const firstBasesQuery = {
  queryKey: ['bases', 'first'],
  queryFn: () => sheaf.wiki.search_knowledge_base(recentBasesInput),
};
export const recentSheetsQuery = {
  queryKey: ['sheets', 'recent'],
  queryFn: () => sheaf.manage.list_files(recentInput),
};
export const writesQuery = (by: 'people' | 'apps') => ({
  queryKey: ['writes', by],
  queryFn: () => sheaf.account.list_audit(writesInput(by)),
});
