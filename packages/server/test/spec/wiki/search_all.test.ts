import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { onWiki, wikiKit } from './support.ts';

interface Hit {
  kind: string;
  id: string;
  title: string;
  update_time: number;
  author_id?: string;
  author_name?: string;
}

onWiki('search_all with filters', (call, server) => {
  const kit = wikiKit(call);
  const indexed = () => server().app.services.searchFeed.waitUntilDrained();

  test('[W151] finds only the kinds, base, author and time that are asked for, and says who wrote what', async () => {
    const word = newId('heron').replace('_', '');
    const [mila, noor] = [await server().newUser(), await server().newUser()];
    const base = await kit.base('Birds', mila);
    const elsewhere = await kit.base('Elsewhere', mila);
    await kit.done('set_member', { knowledge_base_id: base, user_id: noor.userId, role: 'editor' }, mila);
    const hers = await kit.file(base, 'hers.md', `${word} nests`, {}, mila);
    const other = await kit.file(elsewhere, 'other.md', `${word} flies`, {}, mila);
    const folder = await kit.folder(base, `${word} folder`, undefined, mila);
    const { data: note } = await server().call(
      'http',
      'note',
      'import_doc',
      { content_format: 1, content: `# Note\n\n${word}` },
      mila,
    );
    const { data: sheet } = await server().call('http', 'manage', 'create_file', { title: word }, mila);
    const ready = (...all: string[]) => kit.done('get_knowledge_state', { media_ids: all, wait_seconds: 20 }, mila);
    await ready(hers, other);
    const his = await kit.file(base, 'his.md', `${word} fishes`, {}, noor);
    await ready(his);
    await indexed();
    const found = async (filter: object): Promise<Hit[]> =>
      (await kit.done('search_all', { query: word, ...filter }, mila)).info_list;
    const ids = async (filter: object): Promise<string[]> => (await found(filter)).map((one) => one.id).toSorted();
    const sorted = (...given: string[]): string[] => given.toSorted();

    const everything = await found({});
    expect(everything.map((one) => one.id).toSorted()).toEqual(
      sorted(hers, other, folder, note.note_id, sheet.file_id, his),
    );
    const byId = new Map(everything.map((one) => [one.id, one]));
    expect(byId.get(his)).toMatchObject({ author_id: noor.userId, author_name: expect.any(String) });
    expect(byId.get(note.note_id)).toMatchObject({ author_id: mila.userId });
    expect(byId.get(folder)?.author_id).toBeUndefined();

    expect(await ids({ kinds: ['note', 'sheet'] })).toEqual(sorted(note.note_id, sheet.file_id));
    expect(await ids({ kinds: ['knowledge'] })).toEqual(sorted(hers, other, his));
    expect(await ids({ kinds: ['folder'] })).toEqual([folder]);
    expect(await ids({ knowledge_base_id: base })).toEqual(sorted(hers, his, folder));
    expect(await ids({ author_id: noor.userId })).toEqual([his]);
    expect(await ids({ author_id: mila.userId })).toEqual(sorted(hers, other, note.note_id, sheet.file_id));
    const since = byId.get(his)!.update_time;
    expect(await ids({ changed_from: since })).toContain(his);
    expect(await ids({ changed_from: since + 1 })).toEqual([]);
    const before = await ids({ changed_before: byId.get(note.note_id)!.update_time });
    expect(before).not.toContain(note.note_id);
    expect(before).not.toContain(his);

    // Totals are told where they are known, and pages go through what fits.
    const { totals } = await kit.done('search_all', { query: word, changed_from: since + 1 }, mila);
    expect(totals).toEqual({ wiki: 0, note: 0, sheet: 0 });
    const seen: string[] = [];
    for (let cursor = '', page = 0; page < 6; page++) {
      const answer = await kit.done('search_all', { query: word, kinds: ['knowledge'], limit: 1, cursor }, mila);
      seen.push(...answer.info_list.map((one: Hit) => one.id));
      expect(answer.totals).toEqual({});
      if (answer.is_end) break;
      cursor = answer.next_cursor;
    }
    expect(seen.toSorted()).toEqual(sorted(hers, other, his));
  });

  test('[W151] refuses a base that the caller may not see, an order of times that cannot be, and the cursor of another question', async () => {
    const stranger = await server().newUser();
    const base = await kit.base();
    expect(await call('search_all', { query: 'x', knowledge_base_id: base }, stranger)).toMatchObject({ code: 110030 });
    expect(await call('search_all', { query: 'x', changed_from: 5, changed_before: 5 })).toMatchObject({
      msg: expect.stringContaining('changed_before'),
    });
    const word = newId('ibis').replace('_', '');
    const files = [await kit.file(base, 'a.md', word), await kit.file(base, 'b.md', word)];
    await kit.ready(...files);
    await indexed();
    const first = await kit.done('search_all', { query: word, limit: 1, kinds: ['knowledge'] });
    expect(first.is_end).toBe(false);
    expect(await call('search_all', { query: word, limit: 1, cursor: first.next_cursor })).toMatchObject({
      msg: expect.stringContaining('cursor'),
    });
  });

  test('[finding S17] a word with a typo finds the nearest one, marks it and tells it, but not in specified answers', async () => {
    const user = await server().newUser();
    const base = await kit.base('Ice', user);
    const item = await kit.file(base, 'ice.md', 'Glaciers form where snow stays.', {}, user);
    await kit.done('get_knowledge_state', { media_ids: [item], wait_seconds: 20 }, user);
    await indexed();
    const query = 'how glaceirs form';
    const all = await kit.done('search_all', { query, passages: true }, user);
    expect(all.corrected).toEqual({ glaceirs: 'glaciers' });
    expect(all.info_list).toMatchObject([{ id: item, match: 'some' }]);
    const { corrected, passages } = await kit.done('search_passages', { query: 'glaceirs' }, user);
    expect([corrected, passages.length]).toEqual([{ glaceirs: 'glaciers' }, 1]);
    const specified = await kit.done('search_knowledge', { query, cursor: '', knowledge_base_id: base }, user);
    expect(specified).not.toHaveProperty('corrected');
    expect(JSON.stringify(specified.info_list)).toContain('<em>Glaciers</em>');
    expect((await kit.done('search_all', { query: 'glaciers' }, user)).corrected).toBeUndefined();
  });

  test('[W150] [finding S10] what has every word comes first whatever kind it is, and no source takes more than half of a page', async () => {
    const user = await server().newUser();
    const [word, other] = [newId('egret').replace('_', ''), newId('wader').replace('_', '')];
    const base = await kit.base('Birds', user);
    const note = async (text: string): Promise<string> =>
      (await server().call('http', 'note', 'import_doc', { content_format: 1, content: text }, user)).data.note_id;
    const sheet = async (title: string): Promise<string> =>
      (await server().call('http', 'manage', 'create_file', { title }, user)).data.file_id;
    const files: string[] = [];
    for (let i = 0; i < 5; i++) files.push(await kit.file(base, `${word} ${i}.md`, `${word} ${word}`, {}, user));
    const whole = await note(`a long text that names the ${other} once, and somewhere else a ${word} as well`);
    await kit.done('get_knowledge_state', { media_ids: files, wait_seconds: 20 }, user);
    await indexed();
    const search = (input: object) => kit.done('search_all', { query: `${word} ${other}`, ...input }, user);
    const best = await search({ limit: 1 });
    expect(best.info_list.map((one: Hit & { match: string }) => [one.id, one.match])).toEqual([[whole, 'all']]);
    expect((await search({})).info_list.map((one: Hit) => one.id)[0]).toBe(whole);

    // Seven more of each match: every page has all before some, and goes on where the last one ended.
    const expected = new Map<string, string>([[whole, 'all'], ...files.map((id) => [id, 'some'] as const)]);
    for (let i = 0; i < 7; i++) {
      expected.set(await note(`# ${word} ${other}`), 'all');
      expected.set(await sheet(`${word} and ${other} ${i}`), 'all');
      expected.set(await note(`only ${other} here`), 'some');
    }
    await indexed();
    const seen: (Hit & { match: string })[] = [];
    for (let cursor = ''; ;) {
      const page = await search({ limit: 5, cursor });
      seen.push(...page.info_list);
      if (page.is_end) break;
      cursor = page.next_cursor;
    }
    expect(seen.map((hit) => hit.id).toSorted()).toEqual([...expected.keys()].toSorted());
    const matches = seen.map((hit) => hit.match);
    expect(matches).toEqual(matches.toSorted());
    expect(new Map(seen.map((hit) => [hit.id, hit.match]))).toEqual(expected);
    const first = seen.slice(0, 5).map((hit) => hit.kind);
    expect(first.filter((kind) => kind === 'note').length).toBeLessThanOrEqual(3);
    expect(first.filter((kind) => kind === 'sheet').length).toBeLessThanOrEqual(3);
  });
});
