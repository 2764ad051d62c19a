import { useQuery } from '@tanstack/react-query';
import { queries, sheaf } from '../lib/client.ts';

export type Notebook = Awaited<ReturnType<typeof sheaf.note.list_notebook>>['note_folder_infos'][number];
export type NoteInfo = Awaited<ReturnType<typeof sheaf.note.list_note>>['note_book_list'][number];

async function allNotebooks(): Promise<Notebook[]> {
  const found: Notebook[] = [];
  for (let cursor = ''; ; ) {
    const page = await sheaf.note.list_notebook({ cursor, limit: 20 });
    found.push(...page.note_folder_infos);
    if (page.is_end) return found;
    cursor = page.next_cursor;
  }
}

export function useNotebooks(): Notebook[] {
  return useQuery({ queryKey: ['notebooks'], queryFn: allNotebooks, staleTime: 10_000 }).data ?? [];
}

/** After a change of any note or notebook. */
export async function refreshNotes(): Promise<void> {
  await Promise.all([queries.invalidateQueries({ queryKey: ['notes'] }), queries.invalidateQueries({ queryKey: ['notebooks'] })]);
}
