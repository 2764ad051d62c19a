import { expect, test } from 'vitest';
import { onWiki, titles, wikiKit } from './support.ts';

onWiki('search by questions', (call, server) => {
  const kit = wikiKit(call);
  const search = (base: string, query: string, more: object = {}) =>
    kit.done('search_knowledge', { query, cursor: '', knowledge_base_id: base, ...more });

  test('[finding S2] a question finds what answers it, each hit says how it matched', async () => {
    const base = await kit.base();
    const ids = [
      await kit.file(base, 'tea.md', 'Green tea is brewed with water that does not boil.'),
      await kit.file(base, 'leave.md', '员工每年享有十五天带薪年假，由部门主管审批。'),
      await kit.file(base, 'other.md', 'Nothing of interest to anybody.'),
    ];
    await kit.ready(...ids);
    const tea = await search(base, 'How should one brew green tea at home?');
    expect([titles(tea.info_list), tea.info_list[0].match]).toEqual([['tea.md'], 'some']);
    expect(tea.info_list[0].highlight_content).toContain('<em>Green</em> <em>tea</em> is <em>brewed</em>');
    const leave = await search(base, '年假有多少天？');
    expect(titles(leave.info_list)).toEqual(['leave.md']);
    expect((await search(base, 'green tea')).info_list[0].match).toBe('all');
    expect((await search(base, 'the of and')).info_list).toEqual([]);
  });

  test('[finding S4] deleting what was shown and adding before it neither skips nor repeats', async () => {
    const base = await kit.base();
    const { session_id } = await kit.done('create_session', {
      title: 'S',
      messages: [{ role: 'user', content: 'cormorant' }],
    });
    const add = async (title: string): Promise<string> =>
      (
        await kit.done('add_knowledge', {
          media_type: 12,
          title,
          knowledge_base_id: base,
          session_info: { content_id: session_id },
        })
      ).media_id;
    const items: string[] = [];
    for (let i = 0; i < 45; i++) items.push(await add(`Item ${i}`));
    await server().app.services.searchFeed.waitUntilDrained();
    const first = await search(base, 'cormorant');
    const shown = first.info_list.map((one: { media_id: string }) => one.media_id);
    await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: shown.slice(0, 2) });
    for (let i = 0; i < 5; i++) await add(`cormorant ${i}`);
    const seen = [...shown];
    for (let cursor = first.next_cursor; cursor !== '';) {
      const page = await search(base, 'cormorant', { cursor });
      seen.push(...page.info_list.map((one: { media_id: string }) => one.media_id));
      cursor = page.next_cursor;
    }
    expect(seen.filter((id) => items.includes(id)).toSorted()).toEqual(items.toSorted());
  });

  test('[finding S7] a caller finds what it was told is written, at once', async () => {
    const base = await kit.base();
    for (let i = 0; i < 5; i++) {
      const folder = await kit.folder(base, `osprey${i}`);
      let found = await search(base, `osprey${i}`);
      // On a busy machine the index may be behind; then the answer says so, and a later one has it.
      for (let tries = 0; found.index_behind === true && tries < 100; tries++) found = await search(base, `osprey${i}`);
      expect(found.info_list.map((one: { media_id: string }) => one.media_id)).toEqual([folder]);
    }
  });

  test('[finding S5] bases by name: exact, prefix, word, description; nothing by accident', async () => {
    const user = await server().newUser();
    const names = ['2026年报', '2024年报', 'A股行情', 'List', 'My reading list', 'Listings', 'Games'];
    for (const name of names) await kit.done('create_knowledge_base', { name }, user);
    await kit.done('create_knowledge_base', { name: 'Shelf', description: 'a list of books' }, user);
    const find = async (query: string): Promise<string[]> =>
      (await kit.done('search_knowledge_base', { query, cursor: '', limit: 20 }, user)).info_list.map(
        (one: { name: string }) => one.name,
      );
    expect(await find('2024年报')).toEqual(['2024年报']);
    expect(await find('1999年报')).toEqual([]);
    expect(await find('B股')).toEqual([]);
    expect(await find('nothing-list')).toEqual([]);
    expect(await find('list')).toEqual(['List', 'Listings', 'My reading list', 'Shelf']);
    expect(await find('年报')).toEqual(['2024年报', '2026年报']);
  });
});
