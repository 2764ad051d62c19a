import { expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';

onWiki('knowledge bases and members', (call, server) => {
  const kit = wikiKit(call);

  test('[W100] what is not sent stays as it was', async () => {
    const { knowledge_base_id: id } = await kit.done('create_knowledge_base', {
      name: 'A',
      description: 'D',
      recommended_questions: ['Q'],
    });
    await kit.done('update_knowledge_base', { knowledge_base_id: id, name: 'B' });
    expect((await kit.done('get_knowledge_base', { ids: [id] })).infos[id]).toMatchObject({
      name: 'B',
      description: 'D',
      recommended_questions: ['Q'],
    });
  });

  test('[W101][T39] a cover is a public http address', async () => {
    for (const cover_url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://127.0.0.1/x',
      'http://localhost/x',
      'http://[::1]/',
      'http://intranet/',
      'ftp://example.com/',
      'x',
      'http://u:p@example.com/',
      'http://2130706433/',
    ]) {
      expect([cover_url, (await call('create_knowledge_base', { name: 'A', cover_url })).code]).toEqual([
        cover_url,
        110001,
      ]);
    }
    expect(await call('create_knowledge_base', { name: 'A', cover_url: 'https://example.com/a.png' })).toMatchObject({
      code: 0,
    });
  });

  test('[W101] [finding C5] a base without a cover has one made from its name; sending it back gives it none', async () => {
    const { knowledge_base_id: id } = await kit.done('create_knowledge_base', { name: 'A' });
    const cover = async () => (await kit.done('get_knowledge_base', { ids: [id] })).infos[id].cover_url as string;
    const first = await cover();
    expect(first).toMatch(new RegExp(`^${server().url}/covers/[0-9a-f]{16}\\.png$`));
    await kit.done('update_knowledge_base', { knowledge_base_id: id, cover_url: first, name: 'B' });
    const second = await cover();
    expect(second).toMatch(/\/covers\/[0-9a-f]{16}\.png$/);
    expect(second).not.toBe(first);
    await kit.done('update_knowledge_base', { knowledge_base_id: id, cover_url: 'https://example.com/b.png' });
    expect(await cover()).toBe('https://example.com/b.png');
    await kit.done('update_knowledge_base', { knowledge_base_id: id, cover_url: '' });
    expect(await cover()).toBe(second);
    const foreign = 'http://10.0.0.1/covers/0123456789abcdef.png';
    expect(await call('update_knowledge_base', { knowledge_base_id: id, cover_url: foreign })).toMatchObject({
      code: 110001,
      msg: `cover_url: must be an http or https address of a public host, or empty (got "${foreign}")`,
    });
  });

  test('[W102] at most 3 recommended questions', async () => {
    expect(
      await call('create_knowledge_base', { name: 'A', recommended_questions: ['1', '2', '3', '4'] }),
    ).toMatchObject({ code: 110001, msg: expect.stringContaining('recommended_questions') });
  });

  test('[W103] deleting a base is for good, for every member; the first base stays', async () => {
    const base = await kit.base();
    const user = await server().newUser();
    await kit.member(base, user, 'editor');
    const item = await kit.file(base, 'a.md', 'ocelot');
    await kit.done('delete_knowledge_base', { knowledge_base_id: base });
    for (const as of [server().owner, user]) {
      expect(await call('get_knowledge_list', { cursor: '', limit: 1, knowledge_base_id: base }, as)).toMatchObject({
        code: 110030,
      });
      expect(await call('get_media_info', { media_id: item }, as)).toMatchObject({ code: 110030 });
    }
    await server().app.services.searchFeed.waitUntilDrained();
    expect((await kit.done('search_all', { query: 'ocelot' })).info_list).toEqual([]);
    const own = (await kit.done('search_knowledge_base', { query: '', cursor: '', limit: 1 }, user)).info_list[0].id;
    expect(await call('delete_knowledge_base', { knowledge_base_id: own }, user)).toMatchObject({ code: 110001 });
  });

  test('[W170][T40] roles: viewers read, editors change what is in it, owners the base', async () => {
    const base = await kit.base();
    const [viewer, editor] = [await server().newUser(), await server().newUser()];
    await kit.member(base, viewer, 'viewer');
    await kit.member(base, editor, 'editor');
    const item = await kit.file(base, 'a.md', 'x');
    const content = Buffer.from('x').toString('base64');
    const reads: [string, object][] = [
      ['get_knowledge_list', { cursor: '', limit: 1, knowledge_base_id: base }],
      ['search_knowledge', { query: '', cursor: '', knowledge_base_id: base }],
      ['get_media_info', { media_id: item }],
      ['list_members', { knowledge_base_id: base }],
    ];
    const edits: [string, object][] = [
      ['create_folder', { knowledge_base_id: base, name: 'F' }],
      ['upload_knowledge', { knowledge_base_id: base, file_name: 'b.md', content }],
      ['rename_knowledge', { media_id: item, title: 'c.md' }],
      ['add_tag', { media_id: item, tags: ['t'] }],
      ['import_urls', { knowledge_base_id: base, folder_id: '', urls: ['x'] }],
      ['copy_knowledge', { knowledge_base_id: base, media_ids: [item] }],
      ['delete_knowledge', { knowledge_base_id: base, media_ids: [item] }],
      ['restore_knowledge', { knowledge_base_id: base, media_ids: [item] }],
    ];
    const owns: [string, object][] = [
      ['update_knowledge_base', { knowledge_base_id: base, name: 'X' }],
      ['set_member', { knowledge_base_id: base, user_id: viewer.userId, role: 'editor' }],
      ['delete_knowledge_base', { knowledge_base_id: base }],
    ];
    const codes = async (calls: [string, object][], as: typeof viewer) => {
      const found: number[] = [];
      for (const [operation, input] of calls) found.push((await call(operation, input, as)).code);
      return found;
    };
    expect(await codes(reads, viewer)).toEqual(reads.map(() => 0));
    expect(await codes(edits, viewer)).toEqual(edits.map(() => 110030));
    expect(await codes(edits, editor)).toEqual(edits.map(() => 0));
    expect(await codes(owns, editor)).toEqual(owns.map(() => 110030));
    expect(await codes(owns, viewer)).toEqual(owns.map(() => 110030));
  });

  test('[W171] members by id or name, listed with their roles', async () => {
    const base = await kit.base();
    const user = await server().newUser();
    const name = (await server().call('http', 'account', 'get_me', {}, user)).data.name;
    await kit.done('set_member', { knowledge_base_id: base, user_name: name, role: 'viewer' });
    expect((await kit.done('list_members', { knowledge_base_id: base })).members).toMatchObject([
      { user_id: server().owner.userId, name: 'owner', role: 'owner' },
      { user_id: user.userId, name, role: 'viewer' },
    ]);
    expect(await call('set_member', { knowledge_base_id: base, role: 'viewer' })).toMatchObject({ code: 110001 });
    expect(await call('set_member', { knowledge_base_id: base, user_name: 'nobody', role: 'viewer' })).toMatchObject({
      code: 110030,
    });
  });

  test('[W172] there is always an owner; everybody else may leave', async () => {
    const base = await kit.base();
    const user = await server().newUser();
    await kit.member(base, user, 'viewer');
    const me = server().owner.userId;
    expect(await call('remove_member', { knowledge_base_id: base, user_id: me })).toMatchObject({
      code: 110001,
      msg: expect.stringContaining('needs at least one owner'),
    });
    expect(await call('set_member', { knowledge_base_id: base, user_id: me, role: 'viewer' })).toMatchObject({
      code: 110001,
    });
    await kit.done('remove_member', { knowledge_base_id: base, user_id: user.userId }, user);
    expect(await call('list_members', { knowledge_base_id: base }, user)).toMatchObject({ code: 110030 });
    await kit.member(base, user, 'owner');
    await kit.done('remove_member', { knowledge_base_id: base, user_id: me });
    expect(await call('list_members', { knowledge_base_id: base })).toMatchObject({ code: 110030 });
  });

  test('[W5] blocked words are refused, in every name', async () => {
    const blocked = { ...server().app.config, SHEAF_BLOCKED_WORDS: ['Forbidden'] };
    const services = server().app.services as { config: unknown };
    const before = services.config;
    services.config = blocked;
    try {
      const base = await kit.base();
      for (const [operation, input] of [
        ['create_knowledge_base', { name: 'the FORBIDDEN one' }],
        ['create_folder', { knowledge_base_id: base, name: 'ｆｏｒｂｉｄｄｅｎ' }],
        [
          'create_media',
          {
            file_name: 'forbidden.md',
            file_size: 1,
            content_type: 'text/markdown',
            knowledge_base_id: base,
            file_ext: 'md',
          },
        ],
        ['upload_knowledge', { knowledge_base_id: base, file_name: 'forbidden.md', content: 'eA==' }],
        ['create_session', { title: 'forbidden' }],
      ] as const) {
        expect([operation, await call(operation, input)]).toMatchObject([
          operation,
          { code: 110020, data: {}, msg: expect.stringContaining('Forbidden') },
        ]);
      }
    } finally {
      services.config = before;
    }
  });
});
