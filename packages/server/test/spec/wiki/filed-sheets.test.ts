import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';

eachServer('[finding G9] a spreadsheet filed in a base is kept up to date there', (server) => {
  const done = async (name: string, input: object, as: Key = server().owner): Promise<any> => {
    const [module, operation] = name.split('.') as [string, string];
    const { code, msg, data } = await server().call('http', module, operation, input, as);
    expect([name, code, msg]).toEqual([name, 0, 'success']);
    return data;
  };
  const newBase = async (as?: Key): Promise<string> =>
    (await done('wiki.create_knowledge_base', { name: 'Filed' }, as)).knowledge_base_id;
  const newSheet = async (value: string, as?: Key): Promise<string> => {
    const { file_id: file } = await done('manage.create_file', { title: 'Costs' }, as);
    await edit(file, value, as);
    return file;
  };
  const edit = (file: string, value: string, as?: Key): Promise<any> =>
    done('sheet.write', { file_id: file, range: 'A1', rows: [['mast', value]] }, as);
  const fileInto = async (base: string, file: string, as?: Key, more: object = {}): Promise<string> => {
    const input = { knowledge_base_id: base, file_name: 'Costs.xlsx', file_id: file, ...more };
    const { media_id: id } = await done('wiki.upload_knowledge', input, as);
    await done('wiki.get_knowledge_state', { media_ids: [id], wait_seconds: 20 }, as);
    return id;
  };
  const read = async (id: string, as?: Key): Promise<any> => {
    await done('wiki.get_knowledge_state', { media_ids: [id], wait_seconds: 20 }, as);
    const answer = await server().call('http', 'wiki', 'get_knowledge_content', { media_id: id }, as);
    // The copy may be replaced between the two calls.
    return answer.code === 110010 ? read(id, as) : answer.data;
  };
  /** Asks until the item's text or remark has the words. A search makes the index, and the item with it, follow at once. */
  const readUntil = async (id: string, words: string, as?: Key): Promise<any> => {
    for (;;) {
      await done('wiki.search_all', { query: 'mast' }, as);
      const found = await read(id, as);
      if (`${found.content}\n${found.reason ?? ''}`.includes(words)) return found;
      await sleep(50);
    }
  };

  test('its text, its file and its hits follow an edit; the answer names the spreadsheet', async () => {
    const base = await newBase();
    const file = await newSheet('first value');
    const id = await fileInto(base, file);
    const { content, file_id: named } = await read(id);
    expect(content).toContain('first value');
    expect(named).toBe(file);
    const before = await done('wiki.get_media_info', { media_id: id });
    await edit(file, 'second value');
    const after = await readUntil(id, 'second value');
    expect(after.content).not.toContain('first value');
    expect(after.title).toBe('Costs.xlsx');
    const { files } = (await done('wiki.find_duplicates', { knowledge_base_id: base })).duplicates[0] ?? { files: [] };
    expect(files).toEqual([]);
    const link = await done('wiki.get_media_info', { media_id: id });
    expect(new URL(link.url_info.url).pathname).not.toBe(new URL(before.url_info.url).pathname);
    const back = await done('manage.import_file', { title: 'Back', media_id: id });
    expect((await done('sheet.read', { file_id: back.file_id })).rows).toEqual({ 1: ['mast', 'second value'] });
    const { info_list: hits } = await done('wiki.search_knowledge', { knowledge_base_id: base, query: 'second' });
    expect(hits.map((hit: any) => hit.media_id)).toEqual([id]);
    const { changes } = await done('account.list_changes', { in: base, since: 0 });
    expect(changes.map((one: any) => one.operation)).toContain('job:wiki.refile');
  });

  test('a copy follows too, and what was in the trash catches up when it is restored', async () => {
    const base = await newBase();
    const file = await newSheet('before');
    const id = await fileInto(base, file);
    const { media_ids: copies } = await done('wiki.copy_knowledge', { knowledge_base_id: base, media_ids: [id] });
    const copy = copies[id];
    await done('wiki.delete_knowledge', { knowledge_base_id: base, media_ids: [id] });
    await edit(file, 'after the edit');
    expect((await readUntil(copy, 'after the edit')).file_id).toBe(file);
    await done('wiki.restore_knowledge', { knowledge_base_id: base, media_ids: [id] });
    expect((await readUntil(id, 'after the edit')).file_id).toBe(file);
  });

  test('another file in its place, or keep_fresh: false, ends it; file_id begins it', async () => {
    const base = await newBase();
    const file = await newSheet('one');
    const id = await fileInto(base, file);
    const still = await fileInto(base, file, undefined, { keep_fresh: false });
    expect(await read(still)).not.toHaveProperty('file_id');
    const { file_key: key, upload_url: url } = await done('manage.pre_import', { file_name: 'a.txt', file_size: 4 });
    await fetch(url, { method: 'PUT', body: 'mine' });
    await done('wiki.replace_knowledge', { media_id: id, file_key: key, file_name: 'a.txt' });
    const follower = await fileInto(base, file);
    await edit(file, 'two');
    await readUntil(follower, 'two');
    expect(await read(id)).toMatchObject({ content: 'mine' });
    expect(await read(id)).not.toHaveProperty('file_id');
    expect((await read(still)).content).toContain('one');
    await done('wiki.replace_knowledge', { media_id: still, file_id: file, file_name: 'Costs.xlsx' });
    expect((await read(still)).file_id).toBe(file);
    await edit(file, 'three');
    await readUntil(still, 'three');
    const refused = { knowledge_base_id: base, file_name: 'a.txt', text: 'x', keep_fresh: true };
    expect((await server().call('http', 'wiki', 'upload_knowledge', refused)).msg).toContain('keep_fresh: ');
  });

  test('only while the person who filed it may read the spreadsheet; the item says so', async () => {
    const ada = await server().newUser();
    const base = await newBase(ada);
    const file = await newSheet('shown to Ada');
    await done('sharing.share', { kind: 'sheet', id: file, user_id: ada.userId, role: 'read' });
    const id = await fileInto(base, file, ada);
    const member = await server().newUser();
    await done('wiki.set_member', { knowledge_base_id: base, user_id: member.userId, role: 'viewer' }, ada);
    expect(await read(id, member)).not.toHaveProperty('file_id');
    await edit(file, 'still shown');
    await done('wiki.search_all', { query: 'mast' });
    await readUntil(id, 'still shown', ada);
    await done('sharing.unshare', { kind: 'sheet', id: file, user_id: ada.userId });
    await edit(file, 'secret now');
    await done('wiki.search_all', { query: 'mast' });
    const ended = await readUntil(id, 'stays as it is', ada);
    expect(ended.content).toContain('still shown');
    expect(ended.content).not.toContain('secret now');
    expect(ended).not.toHaveProperty('file_id');
  });
});
