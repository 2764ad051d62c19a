import { infiniteQueryOptions, useQuery } from '@tanstack/react-query';
import { fetchAllPages, queryClient, sheaf } from '../../lib/api-client.ts';
import { noteInput, noteVersionInput, notesInput } from '../../lib/first-request-inputs.ts';
import { Setting } from '../../lib/browser-storage.ts';
import type { Translate } from '../../i18n/use-translation.ts';

export type Notebook = Awaited<ReturnType<typeof sheaf.note.list_notebook>>['note_folder_infos'][number];
export type StoredNoteText = Awaited<ReturnType<typeof sheaf.note.export_note>>;
export type NoteInfo = Awaited<ReturnType<typeof sheaf.note.list_note>>['note_book_list'][number];

const allNotebooks = async (): Promise<Notebook[]> =>
  (await fetchAllPages((cursor) => sheaf.note.list_notebook({ cursor, limit: 20 }))).flatMap(
    (page) => page.note_folder_infos,
  );

export function useNotebooks(): Notebook[] {
  return useQuery({ queryKey: ['notebooks'], queryFn: allNotebooks, staleTime: 10_000 }).data ?? [];
}

/**
 * Returns the display name of a notebook. Type 1 is the root, which lists all notes. Type 2 contains the notes outside
 * of notebooks.
 */
export function notebookName({ folder_type: type, name }: Notebook, text: Translate): string {
  return type === 1 ? text('allNotes') : type === 2 ? text('looseNotes') : name;
}

/**
 * Returns the query for a note's text and version. Its result never becomes stale, because an open note tracks new
 * versions itself.
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

export const noteOrders = ['changed', 'created', 'title'] as const;
export const noteOrder = new Setting<NoteOrder>('notes-order', noteOrders, 'changed');
export type NoteOrder = (typeof noteOrders)[number];

/** Filter and sort order of the note list. */
export interface NoteListFilter {
  readonly folder: string | undefined;
  readonly query: string;
  readonly tag: string | undefined;
  readonly order: NoteOrder;
}

/** Number of notes per request after the first. The first request is smaller, so that the page appears early. */
const pageSize = 1000;
const searchPageSize = 20;

async function fetchNotePage(filter: NoteListFilter, cursor: string, signal: AbortSignal): Promise<NotePage> {
  const { folder, query, tag, order } = filter;
  if (query === '') {
    const first = notesInput(folder, tag, noteOrders.indexOf(order) as 0 | 1 | 2);
    const page = await sheaf.note.browse_notes(cursor === '' ? first : { ...first, cursor, limit: pageSize }, {
      signal,
    });
    return { entries: page.notes.map((note) => ({ note })), next: page.is_end ? undefined : page.next_cursor };
  }
  const start = cursor === '' ? 0 : Number(cursor);
  const page = await sheaf.note.search_note(
    { search_type: 1, query_info: { content: query }, start, end: start + searchPageSize },
    { signal },
  );
  return {
    entries: page.search_note_infos.map(({ note_book_info: note, highlightInfo }) => ({
      note,
      title: highlightInfo['doc_title'],
      passage: highlightInfo['doc_content'],
    })),
    next: page.is_end ? undefined : String(start + searchPageSize),
  };
}

export function notesQuery(filter: NoteListFilter) {
  const { folder = '', query, tag = '', order } = filter;
  return infiniteQueryOptions({
    queryKey: ['notes', folder, query, tag, order],
    queryFn: ({ pageParam, signal }) => fetchNotePage(filter, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  });
}

/**
 * A list with this many loaded pages is reloaded at most every `longListMs` milliseconds, because a reload fetches all
 * its pages again.
 */
const longListPages = 3;
const longListMs = 10_000;
let nextRefresh: Promise<void> | undefined;
let refreshedAt = 0;

/**
 * Reloads the lists of notes and notebooks after a change. While a long list of notes is displayed, the reload of the
 * notes may be delayed.
 */
export async function refreshNotes(): Promise<void> {
  const wait = hasLongList() ? refreshedAt + longListMs - Date.now() : 0;
  if (wait <= 0) return reloadLists();
  nextRefresh ??= new Promise<void>((resolve) => setTimeout(resolve, wait)).then(() => {
    nextRefresh = undefined;
    return reloadLists();
  });
  await queryClient.invalidateQueries({ queryKey: ['notebooks'] });
}

async function reloadLists(): Promise<void> {
  refreshedAt = Date.now();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['notes'] }),
    queryClient.invalidateQueries({ queryKey: ['notebooks'] }),
  ]);
}

function hasLongList(): boolean {
  return queryClient
    .getQueriesData<{ pages?: unknown[] }>({ queryKey: ['notes'], type: 'active' })
    .some(([, data]) => (data?.pages?.length ?? 0) >= longListPages);
}

/** Reloads the lists of notes and notebooks without delay. Used after the user changed several notes. */
export const refreshNotesNow = reloadLists;
