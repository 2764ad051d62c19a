import { newId } from '../../../src/lib/ids.ts';
import type { Examples } from '../generated.ts';

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
  set_password: async (server) => ({ password: 'correct horse', user_id: (await server.newUser()).userId }),
  list_sessions: async () => ({}),
  end_session: async () => ({ session_id: 'session_x' }),
  create_sign_in_link: async (server) => ({ user_id: server.owner.userId }),
  list_audit: async () => ({ user_id: '', operation: 'account.create_key', cursor: '', limit: 10 }),
  create_user: async () => ({ name: newId('u'), password: 'correct horse' }),
  list_users: async () => ({}),
  suspend_user: async (server) => ({ user_id: (await server.newUser()).userId }),
  resume_user: async (server) => ({ user_id: (await server.newUser()).userId }),
  delete_user: async (server) => ({ user_id: (await server.newUser()).userId }),
};
