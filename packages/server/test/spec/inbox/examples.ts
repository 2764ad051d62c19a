import type { TestServer } from '@sheaf/tools/testing/test-server.ts';
import type { Examples } from '../generated.ts';

async function note(server: Pick<TestServer, 'call'>): Promise<{ kind: string; id: string }> {
  const { data } = await server.call('http', 'note', 'import_doc', { content_format: 1, content: '# Followed' });
  return { kind: 'note', id: data.note_id };
}

export const examples: Examples = {
  list_inbox: async () => ({ types: ['mention', 'agent'], unread_only: false, cursor: '', limit: 20 }),
  mark_inbox_read: async () => ({ line_ids: ['share:note_x'], unread: true }),
  follow: note,
  unfollow: note,
  list_followed: async () => ({}),
};
