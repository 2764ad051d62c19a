import { newId } from '../../../src/lib/ids.ts';
import type { TestServer } from '@sheaf/tools/testing/test-server.ts';
import type { Examples } from '../generated.ts';

/** Nobody is there; nothing is sent before it changes. */
async function webhook(server: Pick<TestServer, 'call'>): Promise<string> {
  const { data } = await server.call('http', 'manage', 'create_file', { title: newId('file') });
  const url = 'https://hook.example/';
  const made = await server.call('http', 'account', 'create_webhook', { url, file_id: data.file_id });
  return made.data.webhook.webhook_id;
}

async function group(server: Pick<TestServer, 'call'>): Promise<string> {
  const { data } = await server.call('http', 'account', 'create_group', { name: newId('group') });
  return data.group.group_id;
}

export const examples: Examples = {
  get_me: async () => ({}),
  create_key: async () => ({ name: 'reader', modules: ['note'], access: 'read', expire_time: 0 }),
  list_keys: async (server) => ({ user_id: server.owner.userId }),
  revoke_key: async (server) => {
    const { data } = await server.call('http', 'account', 'create_key', { name: 'short-lived' });
    return { key_id: data.key.key_id };
  },
  list_connections: async () => ({}),
  revoke_connection: async () => ({ connection_id: 'connection_x' }),
  set_password: async (server) => ({
    password: 'correct horse',
    old_password: 'x',
    user_id: (await server.newUser()).userId,
  }),
  get_profile: async () => ({}),
  update_profile: async () => ({ display_name: 'Ada', language: 'zh', time_zone: 'Europe/Paris', picture: '' }),
  update_user: async (server) => ({ user_id: (await server.newUser()).userId, role: 'owner', quota_bytes: -1 }),
  get_setup: async () => ({}),
  list_sessions: async () => ({}),
  end_session: async () => ({ session_id: 'session_x' }),
  create_sign_in_link: async (server) => ({ user_id: server.owner.userId }),
  list_audit: async () => ({
    user_id: '',
    operation: 'account.create_key',
    module: 'account',
    by: 'apps',
    since: 0,
    cursor: '',
    limit: 10,
  }),
  list_changes: async () => ({
    since: '2026-05-01T08:00:00Z',
    before: '2999-01-01',
    kinds: ['note', 'sheet'],
    in: 'kb_x',
    tags: ['review'],
    by: 'me',
    cursor: '',
    limit: 10,
  }),
  create_webhook: async (server) => {
    const { data } = await server.call('http', 'manage', 'create_file', { title: newId('file') });
    return { url: 'https://hook.example/', file_id: data.file_id };
  },
  list_webhooks: async () => ({}),
  update_webhook: async (server) => ({
    webhook_id: await webhook(server),
    url: 'https://hook.example/other',
    active: false,
    new_secret: true,
  }),
  delete_webhook: async (server) => ({ webhook_id: await webhook(server) }),
  test_webhook: async (server) => ({ webhook_id: await webhook(server) }),
  list_deliveries: async (server) => ({ webhook_id: await webhook(server) }),
  create_user: async () => ({ name: newId('u'), password: 'correct horse' }),
  list_users: async () => ({}),
  suspend_user: async (server) => ({ user_id: (await server.newUser()).userId }),
  resume_user: async (server) => ({ user_id: (await server.newUser()).userId }),
  delete_user: async (server) => ({ user_id: (await server.newUser()).userId }),
  create_group: async () => ({ name: newId('group') }),
  delete_group: async (server) => ({ group_id: await group(server) }),
  list_groups: async () => ({}),
  list_group_members: async (server) => ({ group_id: await group(server) }),
  add_group_members: async (server) => ({ group_id: await group(server), user_ids: [(await server.newUser()).userId] }),
  remove_group_members: async (server) => ({
    group_id: await group(server),
    user_ids: [(await server.newUser()).userId],
  }),
};
