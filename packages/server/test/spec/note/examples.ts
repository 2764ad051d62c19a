import { newId } from '../../../src/lib/ids.ts';
import type { TestServer } from '@sheaf/tools/testing/test-server.ts';
import type { Examples } from '../generated.ts';

async function note(server: TestServer): Promise<string> {
  const { data } = await server.call('http', 'note', 'import_doc', {
    content_format: 1,
    content: '# Example\n\nwords',
  });
  return data.note_id as string;
}

async function notebook(server: TestServer): Promise<string> {
  const { data } = await server.call('http', 'note', 'add_notebook', { name: newId('book') });
  return data.folder.folder_id as string;
}

/** One valid input for each operation. */
export const examples: Examples = {
  search_note: async () => ({
    search_type: 1,
    sort_type: 0,
    query_info: { title: 'a', content: 'b' },
    start: 0,
    end: 20,
  }),
  list_note: async (server) => ({ folder_id: `user_list_${server.owner.userId}`, sort_type: 0, cursor: '', limit: 20 }),
  get_doc_content: async (server) => ({ note_id: await note(server), target_content_format: 0 }),
  import_doc: async (server) => ({
    content_format: 1,
    content: '# T\n\nx',
    folder_id: await notebook(server),
    title: 'T',
  }),
  append_doc: async (server) => ({ note_id: await note(server), content_format: 1, content: 'more' }),
  list_notebook: async () => ({ cursor: '0', limit: 20, version: '1' }),
  rename_note: async (server) => ({ note_id: await note(server), title: 'New title' }),
  update_note: async (server) => ({ note_id: await note(server), content_format: 1, content: 'new text', title: 'T' }),
  delete_note: async (server) => ({ note_id: await note(server) }),
  restore_note: async (server) => {
    const id = await note(server);
    await server.call('http', 'note', 'delete_note', { note_id: id });
    return { note_id: id };
  },
  search_note_book: async () => ({ search_type: 0, query_info: { title: 'a', content: 'b' }, start: 0, end: 20 }),
  list_note_folder_by_cursor: async () => ({ cursor: '0', limit: 20 }),
  list_note_by_folder_id: async () => ({ folder_id: '', cursor: '', limit: 20 }),
  list_deleted_notes: async () => ({ cursor: '', limit: 20 }),
  move_notes: async (server) => ({ note_ids: [await note(server)], folder_id: await notebook(server) }),
  add_notebook: async () => ({ name: newId('book'), parent_folder_id: '' }),
  rename_notebook: async (server) => ({ folder_id: await notebook(server), name: newId('book'), parent_folder_id: '' }),
  delete_notebook: async (server) => ({ folder_id: await notebook(server), notes: 'keep' }),
  export_note: async (server) => ({ note_id: await note(server), format: 'markdown', version: 1, cursor: '' }),
  get_note_history: async (server) => ({ note_id: await note(server), cursor: '', limit: 20 }),
  restore_note_version: async (server) => ({ note_id: await note(server), version: 1 }),
};
