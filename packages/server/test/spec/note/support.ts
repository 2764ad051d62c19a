import { expect } from 'vitest';
import type { Key, ModuleCall } from '@sheaf/tools/testing/test-server.ts';

/** A new note's id. */
export async function importNote(
  call: ModuleCall,
  content: string,
  more: Record<string, unknown> = {},
  as?: Key,
): Promise<string> {
  const made = await call('import_doc', { content_format: 1, content, ...more }, as);
  expect(made).toMatchObject({ code: 0, msg: 'success' });
  return made.data.note_id as string;
}

export async function addNotebook(
  call: ModuleCall,
  name: string,
  more: Record<string, unknown> = {},
  as?: Key,
): Promise<string> {
  const made = await call('add_notebook', { name, ...more }, as);
  expect(made).toMatchObject({ code: 0 });
  return made.data.folder.folder_id as string;
}

export async function plainText(call: ModuleCall, noteId: string, as?: Key): Promise<string> {
  const read = await call('get_doc_content', { note_id: noteId, target_content_format: 0 }, as);
  expect(read).toMatchObject({ code: 0 });
  return read.data.content as string;
}

/** The entry of list_note. */
export async function infoOf(call: ModuleCall, noteId: string, as?: Key): Promise<any> {
  for (let cursor = ''; ;) {
    const { data } = await call('list_note', { cursor, limit: 20 }, as);
    const found = data.note_book_list.find((note: { note_id: string }) => note.note_id === noteId);
    if (found || data.is_end) return found;
    cursor = data.next_cursor;
  }
}

export function titles(answer: { data: any }): string[] {
  const list =
    answer.data.note_book_list ??
    answer.data.search_note_infos.map((info: { note_book_info: unknown }) => info.note_book_info);
  return list.map((note: { title: string }) => note.title);
}
