import { queryClient, sheaf } from '../../lib/api-client.ts';
import { plainExcerpt } from '../../lib/format.ts';
import type { RecentItem } from './recent-item.ts';

type ListedNote = Awaited<ReturnType<typeof sheaf.note.list_note>>['note_book_list'][number];
type ListedSheet = Awaited<ReturnType<typeof sheaf.manage.list_files>>['files'][number];

export function noteItem(note: ListedNote): RecentItem {
  return {
    kind: 'note',
    id: note.note_id,
    title: note.title,
    about: plainExcerpt(note.summary),
    time: note.modify_time,
  };
}

export function sheetItem(file: Pick<ListedSheet, 'file_id' | 'title' | 'modify_time'>): RecentItem {
  return { kind: 'sheet', id: file.file_id, title: file.title, about: '', time: file.modify_time };
}

/** Maximum length of the excerpt that a note's card shows, in tokens (units of text of a language model). */
const shownTokens = 40;
const staleTime = 10_000;

/** Loads notes and sheets by their ids. Omits objects that cannot be loaded, such as deleted or inaccessible ones. */
export async function loadItems(ids: readonly string[]): Promise<RecentItem[]> {
  const loaded = await Promise.all(
    ids.map((id) =>
      // Use the query cache, because the cards and the list of changes on the home page load the same items. Failures
      // are cached too, as null.
      queryClient.fetchQuery({
        queryKey: ['notes', 'recent-item', id],
        queryFn: () => loadItem(id).catch(() => null),
        staleTime,
      }),
    ),
  );
  return loaded.filter((one) => one !== null);
}

async function loadItem(id: string): Promise<RecentItem> {
  if (!id.startsWith('note_')) return sheetItem((await sheaf.manage.query_file_info({ file_id: id })).file);
  const { notes } = await sheaf.note.read_note({ note_id: id, max_tokens: shownTokens, outline: false });
  const { title, content } = notes[0]!;
  return { kind: 'note', id, title, about: plainExcerpt(content.replace(/^#.*\n+/, '')), time: 0 };
}
