import { infiniteQueryOptions, useQuery } from '@tanstack/react-query';
import { fetchAllPages, queryClient, sheaf } from '../../lib/api-client.ts';
import { noteInput, noteVersionInput, notesInput } from '../../lib/first-inputs.ts';
import type { Translate } from '../../i18n/use-translation.ts';

export type Notebook = Awaited<ReturnType<typeof sheaf.note.list_notebook>>['note_folder_infos'][number];
export type NoteInfo = Awaited<ReturnType<typeof sheaf.note.list_note>>['note_book_list'][number];

const allNotebooks = async (): Promise<Notebook[]> =>
  (await fetchAllPages((cursor) => sheaf.note.list_notebook({ cursor, limit: 20 }))).flatMap(
    (page) => page.note_folder_infos,
  );

export function useNotebooks(): Notebook[] {
  return useQuery({ queryKey: ['notebooks'], queryFn: allNotebooks, staleTime: 10_000 }).data ?? [];
}

/**
 * Returns the display name of a notebook. Type 1 is the root, which lists all notes; type 2 holds the notes outside
 * notebooks.
 */
export function notebookName({ folder_type: type, name }: Notebook, text: Translate): string {
  return type === 1 ? text('allNotes') : type === 2 ? text('looseNotes') : name;
}

/**
 * Returns the query for a note's text and version. The cached result never becomes stale, because the open note tracks
 * newer versions itself.
 */
export function noteQuery(id: string) {
  return {
    queryKey: ['note', id],
    queryFn: () => sheaf.note.export_note(noteInput(id)),
    staleTime: Infinity,
  };
}

/** Returns the query for the number and title of a note's latest version. */
export function noteVersionQuery(id: string) {
  return { queryKey: ['note-version', id], queryFn: () => sheaf.note.get_note_history(noteVersionInput(id)) };
}

export interface NoteEntry {
  note: NoteInfo;
  title?: string | undefined;
  passage?: string | undefined;
}

interface NotePage {
  entries: NoteEntry[];
  next: string | undefined;
}

async function fetchNotePage(
  folder: string | undefined,
  query: string,
  cursor: string,
  signal: AbortSignal,
): Promise<NotePage> {
  if (query === '') {
    const page = await sheaf.note.list_note(notesInput(folder, cursor), { signal });
    return { entries: page.note_book_list.map((note) => ({ note })), next: page.is_end ? undefined : page.next_cursor };
  }
  const start = cursor === '' ? 0 : Number(cursor);
  const page = await sheaf.note.search_note(
    { search_type: 1, query_info: { content: query }, start, end: start + 20 },
    { signal },
  );
  return {
    entries: page.search_note_infos.map(({ note_book_info: note, highlightInfo }) => ({
      note,
      title: highlightInfo['doc_title'],
      passage: highlightInfo['doc_content'],
    })),
    next: page.is_end ? undefined : String(start + 20),
  };
}

export function notesQuery(folder: string | undefined, query: string) {
  return infiniteQueryOptions({
    queryKey: ['notes', folder ?? '', query],
    queryFn: ({ pageParam, signal }) => fetchNotePage(folder, query, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  });
}

/** Invalidates the cached lists of notes and notebooks after a change. */
export async function refreshNotes(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['notes'] }),
    queryClient.invalidateQueries({ queryKey: ['notebooks'] }),
  ]);
}
