import type { TestServer } from '@sheaf/tools/testing/test-server.ts';
import type { Examples } from '../generated.ts';

type Server = Pick<TestServer, 'call' | 'newUser'>;

async function note(server: Server): Promise<{ kind: string; id: string }> {
  const { data } = await server.call('http', 'note', 'import_doc', { content_format: 1, content: '# Shared' });
  return { kind: 'note', id: data.note_id };
}

export const examples: Examples = {
  share: async (server) => ({ ...(await note(server)), user_id: (await server.newUser()).userId, role: 'read' }),
  unshare: async (server) => {
    const resource = await note(server);
    const { userId: user_id } = await server.newUser();
    await server.call('http', 'sharing', 'share', { ...resource, user_id, role: 'read' });
    return { ...resource, user_id };
  },
  list_shares: note,
  list_shared_with_me: async () => ({ kinds: ['note'], folder_id: 'folder_x', cursor: '', limit: 10 }),
  list_people: async (server) => ({ ...(await note(server)), name: 'o', limit: 5 }),
  publish: async (server) => ({ ...(await note(server)), expire_time: 4_000_000_000_000 }),
  list_published: note,
  unpublish: async (server) => {
    const resource = await note(server);
    const { data } = await server.call('http', 'sharing', 'publish', resource);
    return { ...resource, link_id: data.link.link_id };
  },
};
