import { expect } from 'vitest';
import type { Examples } from '../generated.ts';
import { makeFailed, makeThings, makeUpload } from './things.ts';

/** One valid input for each operation, with every field that has a rule. */
export const examples: Examples = {
  create_media: async (server) => {
    const { base } = await makeThings(server);
    return { file_name: 'a.md', file_size: 5, content_type: 'text/markdown', knowledge_base_id: base, file_ext: 'md' };
  },
  add_knowledge: async (server) => {
    const { base, folder } = await makeThings(server);
    const { media_id, cos_key, file_size } = await makeUpload(server, base);
    const file_info = { cos_key, file_size, last_modify_time: 1700000000, password: 'secret', file_name: 'up.md' };
    return {
      media_type: 7,
      media_id,
      title: 'Uploaded',
      knowledge_base_id: base,
      folder_id: folder,
      file_info,
      duplicate_name_strategy: 'keep_both',
    };
  },
  get_knowledge_base: async (server) => ({ ids: [(await makeThings(server)).base] }),
  get_knowledge_list: async (server) => {
    const { base, folder } = await makeThings(server);
    return { cursor: '', limit: 10, knowledge_base_id: base, folder_id: folder };
  },
  // Asked twice it answers the same once both files are read and found.
  search_knowledge: async (server) => {
    const example = { query: 'hello', cursor: '', knowledge_base_id: (await makeThings(server)).base };
    await expect
      .poll(async () => (await server.call('http', 'wiki', 'search_knowledge', example)).data.total, {
        timeout: 20_000,
      })
      .toBe(2);
    return example;
  },
  search_knowledge_base: async () => ({ query: '', cursor: '', limit: 10 }),
  get_addable_knowledge_base_list: async () => ({ cursor: '', limit: 10 }),
  check_repeated_names: async (server) => {
    const { base, folder } = await makeThings(server);
    return { params: [{ name: 'a.md', media_type: 7 }], knowledge_base_id: base, folder_id: folder };
  },
  import_urls: async (server) => {
    const { base, folder } = await makeThings(server);
    return { knowledge_base_id: base, folder_id: folder, urls: ['http://127.0.0.1:9/'] };
  },
  get_media_info: async (server) => ({ media_id: (await makeThings(server)).item }),
  create_knowledge_base: async () => ({
    name: 'New',
    description: 'About',
    cover_url: 'https://example.com/c.png',
    recommended_questions: ['Why?'],
  }),
  update_knowledge_base: async (server) => ({
    knowledge_base_id: (await makeThings(server)).base,
    name: 'Renamed',
    description: 'About',
    cover_url: '',
    recommended_questions: ['Why?'],
  }),
  delete_knowledge_base: async (server) => ({ knowledge_base_id: (await makeThings(server)).base }),
  create_folder: async (server) => {
    const { base, folder } = await makeThings(server);
    return { knowledge_base_id: base, name: 'Inner', parent_folder_id: folder };
  },
  rename_knowledge: async (server) => ({ media_id: (await makeThings(server)).item, title: 'Renamed' }),
  move_knowledge: async (server) => {
    const { base, item, folder } = await makeThings(server);
    return { knowledge_base_id: base, media_ids: [item], target_knowledge_base_id: base, target_folder_id: folder };
  },
  copy_knowledge: async (server) => {
    const { base, item, folder } = await makeThings(server);
    return { knowledge_base_id: base, media_ids: [item], target_knowledge_base_id: base, target_folder_id: folder };
  },
  delete_knowledge: async (server) => {
    const { base, item } = await makeThings(server);
    return { knowledge_base_id: base, media_ids: [item] };
  },
  restore_knowledge: async (server) => {
    const { base, trashed } = await makeThings(server);
    return { knowledge_base_id: base, media_ids: [trashed] };
  },
  list_deleted: async (server) => ({ knowledge_base_id: (await makeThings(server)).base, cursor: '', limit: 10 }),
  set_knowledge_top: async (server) => {
    const { base, folder } = await makeThings(server);
    return { knowledge_base_id: base, folder_id: folder, is_top: true };
  },
  replace_knowledge: async (server) => {
    const { base, item } = await makeThings(server);
    return { media_id: item, new_media_id: (await makeUpload(server, base)).media_id, password: 'secret' };
  },
  retry_knowledge: async (server) => ({ media_id: (await makeFailed(server)).item, password: 'secret' }),
  get_knowledge_content: async (server) => ({
    media_id: (await makeThings(server)).noteItem,
    max_tokens: 100,
    cursor: '',
  }),
  view_workbook: async (server) => {
    const { base } = await makeThings(server);
    const content = Buffer.from('name,price\npear,3\n').toString('base64');
    const upload = { knowledge_base_id: base, file_name: 'a.csv', content };
    const { data } = await server.call('http', 'wiki', 'upload_knowledge', upload);
    return { media_id: data.media_id, sheet_name: 'Sheet1', max_rows: 10 };
  },
  // A note is ready at once: the longest wait ends before it begins.
  find_duplicates: async (server) => ({ knowledge_base_id: (await makeThings(server)).base }),
  get_knowledge_state: async (server) => ({ media_ids: [(await makeThings(server)).noteItem], wait_seconds: 0 }),
  search_all: async () => ({ query: 'hello', cursor: '', limit: 10, tags: ['draft'] }),
  search_passages: async () => ({ query: 'hello', limit: 5, max_tokens: 500, tags: ['draft'] }),
  add_tag: async (server) => ({ media_id: (await makeThings(server)).item, tags: ['draft'] }),
  list_tags: async () => ({ tag: 'draft', kinds: ['note'], cursor: '', limit: 10 }),
  remove_tag: async (server) => ({ media_id: (await makeThings(server)).item, tags: ['draft'] }),
  list_members: async (server) => ({ knowledge_base_id: (await makeThings(server)).base }),
  set_member: async (server) => ({
    knowledge_base_id: (await makeThings(server)).base,
    user_id: (await server.newUser()).userId,
    user_name: '',
    role: 'viewer',
  }),
  remove_member: async (server) => {
    const { base } = await makeThings(server);
    const { userId } = await server.newUser();
    await server.call('http', 'wiki', 'set_member', { knowledge_base_id: base, user_id: userId, role: 'viewer' });
    return { knowledge_base_id: base, user_id: userId };
  },
  export_knowledge_base: async (server) => ({ knowledge_base_id: (await makeThings(server)).base }),
  upload_knowledge: async (server) => {
    const { base, folder } = await makeThings(server);
    const content = Buffer.from('# Hi').toString('base64');
    return {
      knowledge_base_id: base,
      folder_id: folder,
      file_name: 'a.md',
      content,
      content_type: 'text/markdown',
      title: 'A',
      password: 'p',
      duplicate_name_strategy: 'keep_both',
    };
  },
  create_session: async () => ({ title: 'Chat', messages: [{ role: 'user', content: 'hi' }] }),
  append_session: async (server) => ({
    session_id: (await makeThings(server)).session,
    messages: [{ role: 'user', content: 'hi' }],
  }),
  get_session: async (server) => ({ session_id: (await makeThings(server)).session, cursor: '', limit: 10 }),
  delete_session: async (server) => ({ session_id: (await makeThings(server)).session }),
};
