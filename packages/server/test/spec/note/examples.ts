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
  comment_note: async (server) => ({
    note_id: await note(server),
    quote: 'words',
    before: 'Example',
    after: '.',
    line: 3,
    text: 'Which?',
  }),
  delete_note_comment: async (server) => {
    const note_id = await note(server);
    const { data } = await server.call('http', 'note', 'comment_note', { note_id, text: 'Which?' });
    return { note_id, comment_id: data.comment_id, entry_id: data.entry_id };
  },
  list_note_comments: async (server) => ({ note_id: await note(server), include_resolved: true }),
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
  list_suggestions: async (server) => ({ note_id: await note(server) }),
  decide_suggestion: async (server) => {
    const id = await note(server);
    const edits = [{ old: 'words', new: 'text' }];
    const made = await server.call('http', 'note', 'edit_note', { note_id: id, edits, suggest: true });
    return { note_id: id, suggestion_id: made.data.suggestion_id, accept: true, numbers: [1] };
  },
  sync_note: async (server) => ({
    note_id: await note(server),
    client: 4242,
    cursor: '',
    leave: false,
  }),
  export_note: async (server) => ({ note_id: await note(server), format: 'markdown', version: 1, cursor: '' }),
  get_note_history: async (server) => ({ note_id: await note(server), cursor: '', limit: 20 }),
  restore_note_version: async (server) => ({ note_id: await note(server), version: 1 }),
  remember: async () => ({ text: 'Reports go out on Mondays', about: 'Ada' }),
  recall: async () => ({ question: 'when do reports go out?', limit: 5 }),
  list_memories: async () => ({ cursor: '', limit: 20 }),
  forget: async () => ({ memory_ids: ['memory_x'] }),
  read_note: async (server) => ({ note_id: await note(server), from_line: 1, to_line: 2, max_tokens: 100, version: 1 }),
  edit_note: async (server) => ({ note_id: await note(server), edits: [{ old: 'words', new: 'text', count: 1 }] }),
  replace_in_notes: async (server) => ({ note_ids: [await note(server)], old: 'words', new: 'text', dry_run: true }),
  undo_note_change: async (server) => {
    const made = await server.call('http', 'note', 'replace_in_notes', {
      note_ids: [await note(server)],
      old: 'words',
      new: 'text',
    });
    return { change_id: made.data.change_id as string };
  },
  diff_note: async (server) => ({ note_id: await note(server), from_version: 1, to_version: 1, max_tokens: 100 }),
  browse_notes: async () => ({ folder_id: '', tag: 'review', sort_type: 2, cursor: '', limit: 1000 }),
  list_tasks: async () => ({ state: 'open', due_from: '2026-01-01', due_before: '2027-01-01', cursor: '', limit: 20 }),
  set_task: async (server) => {
    const made = await server.call('http', 'note', 'import_doc', { content_format: 1, content: '- [ ] call' });
    return { note_id: made.data.note_id as string, line: 1, text: 'call', done: true };
  },
  list_links: async (server) => ({ note_id: await note(server), broken: false, cursor: '', limit: 20 }),
  backlinks: async (server) => ({ id: await note(server), cursor: '', limit: 20 }),
  tag_note: async (server) => ({ note_id: await note(server), add: ['review'], remove: ['draft'] }),
};
