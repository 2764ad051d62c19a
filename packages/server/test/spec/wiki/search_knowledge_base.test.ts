import { expect, test } from 'vitest';
import { onWiki, wikiKit } from './support.ts';

onWiki('search_knowledge_base and get_addable_knowledge_base_list', (call, server) => {
  const kit = wikiKit(call);
  const search = (more: object, as = server().owner) =>
    kit.done('search_knowledge_base', { query: '', cursor: '', limit: 20, ...more }, as);

  test('[W60] a new user has one knowledge base of their own', async () => {
    const user = await server().newUser();
    const { info_list } = await search({}, user);
    expect(info_list).toEqual([
      {
        id: expect.stringMatching(/^kb_/),
        name: 'My knowledge base',
        cover_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/covers\/[0-9a-f]{16}\.png$/),
        kb_id: info_list[0].id,
        kb_name: 'My knowledge base',
        description: '',
        content_count: 0,
        member_count: 1,
        role_type: 'owner',
      },
    ]);
    expect((await search({}, user)).info_list.length).toBe(1);
    expect(
      (await kit.done('get_addable_knowledge_base_list', { cursor: '', limit: 50 }, user)).addable_knowledge_base_list,
    ).toEqual([{ id: info_list[0].id, name: 'My knowledge base' }]);
  });

  test('[W61] finds by words and parts of words in name and description', async () => {
    const user = await server().newUser();
    const { knowledge_base_id: id } = await kit.done(
      'create_knowledge_base',
      { name: '项目资料 Alpha', description: 'about Café culture' },
      user,
    );
    for (const query of ['alpha', '项目', 'ALPH', 'cafe', 'culture', '  Alpha '])
      expect([query, (await search({ query }, user)).info_list.map((one: { id: string }) => one.id)]).toEqual([
        query,
        [id],
      ]);
    expect((await search({ query: 'beta' }, user)).info_list).toEqual([]);
  });

  test('[W62] bases of others appear once shared, with the role; addable only for editors', async () => {
    const user = await server().newUser();
    const base = await kit.base('Shared');
    await kit.member(base, user, 'viewer');
    expect((await search({ query: 'shared' }, user)).info_list).toMatchObject([
      { id: base, role_type: 'viewer', member_count: 2 },
    ]);
    const addable = async () =>
      (
        await kit.done('get_addable_knowledge_base_list', { cursor: '', limit: 50 }, user)
      ).addable_knowledge_base_list.map((one: { name: string }) => one.name);
    expect(await addable()).toEqual(['My knowledge base']);
    await kit.member(base, user, 'editor');
    expect(await addable()).toEqual(['My knowledge base', 'Shared']);
  });

  test('[W63] pages in order, tampered cursors refused', async () => {
    const user = await server().newUser();
    for (let i = 0; i < 5; i++) await kit.base(`B${i}`, user);
    for (const [operation, field] of [
      ['search_knowledge_base', 'info_list'],
      ['get_addable_knowledge_base_list', 'addable_knowledge_base_list'],
    ] as const) {
      const seen: string[] = [];
      let cursor = '';
      for (let round = 0; round < 9; round++) {
        const page = await kit.done(operation, { query: '', cursor, limit: 2 }, user);
        seen.push(...page[field].map((one: { name: string }) => one.name));
        if (page.is_end) break;
        cursor = page.next_cursor;
      }
      expect(seen).toHaveLength(6);
      expect(seen[0]).toBe('My knowledge base');
      expect(seen.slice(1).toSorted()).toEqual(['B0', 'B1', 'B2', 'B3', 'B4']);
      expect(await call(operation, { query: '', cursor: 'tampered', limit: 2 }, user)).toMatchObject({
        code: 110001,
        data: {},
      });
    }
  });
});
