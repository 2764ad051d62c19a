import type { Callable } from '@sheaf/tools/testing/call-client.ts';
import type { Examples } from '../generated.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function newFile(server: Callable): Promise<string> {
  const { data } = await server.call('http', 'manage', 'create_file', { title: 'Example' });
  return data.file_id as string;
}

const on = (extra: Record<string, unknown>) => async (server: Callable) => ({
  file_id: await newFile(server),
  ...extra,
});
const just = (input: Record<string, unknown>) => async () => input;

export const examples: Examples = {
  create_file: just({ title: 'T', file_type: 'sheet' }),
  list_files: just({ cursor: '', limit: 10, deleted: false }),
  search_file: just({ query: 'x', offset: 0, limit: 10, tags: ['review'] }),
  query_file_info: on({}),
  folder_list: just({ folder_id: '/', start: 0 }),
  recent_online_file: just({ num: 1, count: 10, order_by: 0 }),
  rename_file_title: on({ title: 'Other' }),
  move_file: on({ target_folder_id: '/' }),
  get_privilege: on({}),
  set_privilege: on({ policy: 2 }),
  async_import: just({ file_key: 'imports/x/y', file_name: 'a.csv' }),
  import_progress: async (server) => ({ task_id: await newFile(server) }),
  export_progress: async (server) => ({ task_id: await newFile(server) }),
  rename_file: on({ title: 'Other' }),
  copy_file: on({ title: 'Copy' }),
  delete_file: on({}),
  restore_file: on({}),
  tag_file: on({ add: ['review'], remove: ['draft'] }),
  share_file: async (server) => ({
    file_id: await newFile(server),
    user_id: (await server.newUser()).userId,
    role: 'viewer',
  }),
  announce: on({ place: 's$A1', client: 'c', left: false }),
  create_public_link: on({ expire_time: 4_000_000_000_000 }),
  list_public_links: on({}),
  end_public_link: async (server) => {
    const file_id = await newFile(server);
    const { data } = await server.call('http', 'manage', 'create_public_link', { file_id });
    return { file_id, link_id: (data.link as { link_id: string }).link_id };
  },
  pre_import: just({ file_name: 'a.csv' }),
  import_file: just({ title: 'T', content: Buffer.from('name,price\npear,3\n').toString('base64'), format: 'csv' }),
  export_file: on({ format: 'csv', safe: true, as_link: false }),
  upload_image: just({ content: png }),
};
