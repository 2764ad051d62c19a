import { sheaf } from '../lib/client.ts';

export interface Hit {
  kind: 'knowledge' | 'folder' | 'note' | 'sheet';
  id: string;
  title: string;
  passage: string | undefined;
  container: string;
  containerName: string;
}

export async function searchEverywhere(query: string, signal: AbortSignal): Promise<Hit[]> {
  const { search_note_infos: notes } = await sheaf.note.search_note({ search_type: 1, query_info: { content: query.slice(0, 256) }, start: 0, end: 20 }, { signal });
  return notes.map(({ note_book_info: note, highlightInfo }) => ({
    kind: 'note' as const,
    id: note.note_id,
    title: note.title,
    passage: highlightInfo['doc_content'],
    container: note.note_ext_info.folder_id,
    containerName: note.note_ext_info.folder_name,
  }));
}
