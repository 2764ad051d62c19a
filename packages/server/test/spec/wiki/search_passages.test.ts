import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { oneLinePdf } from '@sheaf/tools/testing/one-line-pdf.ts';
import { onWiki, wikiKit } from './support.ts';

onWiki('search_passages', (call, server) => {
  const kit = wikiKit(call);
  const filler = 'Some sentences that say nothing about what is asked for here. '.repeat(30);
  const handbook =
    `# Handbook\n\n${filler}\n\n## Travel\n\n${filler}\n\n### Trains\n\nSeats in trains are booked by the office, ` +
    `at least three days ahead.\n\n## Leave\n\n年假需要提前两周申请。\n\n${filler}`;

  test('the passages that answer, with headings, places and a link; the text around one on demand', async () => {
    const base = await kit.base();
    const id = await kit.file(base, 'handbook.md', handbook);
    await kit.ready(id);
    await server().app.services.searchFeed.waitUntilDrained();
    const { passages, documents, total } = await kit.done('search_passages', {
      query: 'how are train seats booked?',
      knowledge_base_id: base,
      limit: 2,
    });
    expect(total).toBe(1);
    expect(passages[0]).toMatchObject({
      document: 0,
      headings: ['Handbook', 'Travel', 'Trains'],
      text: expect.stringContaining('<em>Seats</em> in <em>trains</em> are <em>booked</em> by the office'),
    });
    expect(documents).toEqual([
      {
        kind: 'knowledge',
        id,
        title: 'handbook.md',
        match: 'all',
        container_id: base,
        link: expect.stringMatching(new RegExp(`/wiki/${base}/item/${id}$`)),
      },
    ]);
    const chinese = await kit.done('search_passages', { query: '年假怎么申请', knowledge_base_id: base, limit: 1 });
    expect(chinese.passages[0]).toMatchObject({ headings: ['Handbook', 'Leave'] });
    const around = await kit.done('get_knowledge_content', { media_id: id, at: passages[0].start, max_tokens: 120 });
    expect(around.content).toContain('Seats in trains');
    expect(around.start).toBeGreaterThan(0);
    expect(around.start).toBeLessThanOrEqual(passages[0].start);
  });

  test('keeps to the budget, and to what the caller may see', async () => {
    const base = await kit.base();
    const word = newId('kingfisher').replace('_', '');
    const ids = [];
    const about = (i: number): string => `${word} ${Array.from({ length: 150 }, (_, j) => `u${i}v${j}`).join(' ')}`;
    for (let i = 0; i < 4; i++) ids.push(await kit.file(base, `f${i}.md`, `${about(i)}\n\n${about(i + 4)}`));
    await kit.ready(...ids);
    await server().app.services.searchFeed.waitUntilDrained();
    const many = await kit.done('search_passages', { query: word, max_tokens: 2000 });
    const few = await kit.done('search_passages', { query: word, max_tokens: 300 });
    expect(many.passages.length).toBeGreaterThan(few.passages.length);
    expect(few.passages.length).toBe(1);
    const other = await server().newUser();
    expect((await kit.done('search_passages', { query: word }, other)).passages).toEqual([]);
    expect(await call('search_passages', { query: word, knowledge_base_id: base }, other)).toMatchObject({
      code: 110030,
    });
  });

  test('names the page of a PDF', async () => {
    const base = await kit.base();
    const id = await kit.file(base, 'paper.pdf', oneLinePdf('The avocet wades'));
    await kit.ready(id);
    await server().app.services.searchFeed.waitUntilDrained();
    const { passages } = await kit.done('search_passages', { query: 'avocet', knowledge_base_id: base });
    expect(passages[0]).toMatchObject({ page: 'page 1', text: 'The <em>avocet</em> wades', start: 0 });
  });

  test('[finding S12] finds passages in items, notes and spreadsheets, and of each what is asked for', async () => {
    const user = await server().newUser();
    const word = newId('phalarope').replace('_', '');
    const base = await kit.base('Birds', user);
    const folder = await kit.folder(base, 'Waders', undefined, user);
    const below = await kit.folder(base, 'Small ones', folder, user);
    const inBase = await kit.file(base, 'top.md', `The ${word} spins.`, {}, user);
    const inFolder = await kit.file(base, 'below.txt', `A ${word} swims.`, { folder_id: below }, user);
    const other = async (module: string, operation: string, input: object) =>
      (await server().call('http', module, operation, input, user)).data;
    const { note_id: note } = await other('note', 'import_doc', {
      content_format: 1,
      content: `# Day\n\n${word} seen`,
    });
    const content = Buffer.from(`Bird,Count\n${word},41\n`).toString('base64');
    const { file_id: sheet } = await other('manage', 'import_file', { title: 'Counts', content, format: 'csv' });
    await kit.done('get_knowledge_state', { media_ids: [inBase, inFolder], wait_seconds: 20 }, user);
    const found = async (filter: object): Promise<string[]> => {
      const { documents, passages, total } = await kit.done('search_passages', { query: word, ...filter }, user);
      expect([passages.length, total]).toEqual([documents.length, documents.length]);
      return documents.map((one: { id: string }) => one.id).toSorted();
    };
    const sorted = (...ids: string[]): string[] => ids.toSorted();
    expect(await found({})).toEqual(sorted(inBase, inFolder, note, sheet));
    expect(await found({ kinds: ['note', 'sheet'] })).toEqual(sorted(note, sheet));
    expect(await found({ knowledge_base_id: base })).toEqual(sorted(inBase, inFolder));
    expect(await found({ folder_id: folder })).toEqual([inFolder]);
    expect(await found({ media_types: [7] })).toEqual([inBase]);
    expect(await found({ author_id: user.userId })).toEqual(sorted(inBase, inFolder, note, sheet));
    expect(await found({ changed_before: 1 })).toEqual([]);
    expect(await call('search_passages', { query: word, folder_id: inBase }, user)).toMatchObject({
      msg: expect.stringContaining('folder_id'),
    });
    expect(await call('search_passages', { query: word, folder_id: folder })).toMatchObject({ code: 110030 });
  });

  test('[finding S19] what only its title finds is there with its beginning, and so is what has no text', async () => {
    const user = await server().newUser();
    const word = newId('whimbrel').replace('_', '');
    const base = await kit.base('Birds', user);
    await kit.folder(base, `${word} folder`, undefined, user);
    const titled = await kit.file(base, `${word}.md`, 'Nothing but other words.', {}, user);
    await kit.done('get_knowledge_state', { media_ids: [titled], wait_seconds: 20 }, user);
    const { passages, documents, total } = await kit.done('search_passages', { query: word }, user);
    expect([total, documents.length, passages[0].text]).toEqual([1, 1, 'Nothing but other words.']);
    const { data: sheet } = await server().call('http', 'manage', 'create_file', { title: `${word} list` }, user);
    const both = await kit.done('search_passages', { query: word, kinds: ['sheet'] }, user);
    expect(both).toMatchObject({ total: 1, documents: [{ id: sheet.file_id }] });
    expect(both.passages).toHaveLength(1);
    // A folder has no passage, and does not count.
    expect(await kit.done('search_passages', { query: 'folder', knowledge_base_id: base }, user)).toMatchObject({
      passages: [],
      total: 0,
    });
  });

  test('[finding S19] the title of a document decides between passages that are alike', async () => {
    const user = await server().newUser();
    const base = await kit.base('Reports', user);
    const ids: string[] = [];
    for (const name of ['Alcedo', 'Bubo', 'Ciconia'])
      for (const year of [2021, 2022, 2023]) {
        const pages = `Cash flow of ${name} ${year} was ${name.length * year} million. ${filler}\n\n`.repeat(3);
        ids.push(await kit.file(base, `${name.toUpperCase()}_${year}_report.md`, `${pages}${name} 2022`, {}, user));
      }
    await kit.done('get_knowledge_state', { media_ids: ids, wait_seconds: 20 }, user);
    const query = 'What was the cash flow of Bubo in FY2022?';
    const { passages, documents } = await kit.done('search_passages', { query }, user);
    expect(documents[passages[0].document].title).toBe('BUBO_2022_report.md');
  });

  test('[finding S18] [finding S19] near duplicates are there once, and passages end where scores fall', async () => {
    const user = await server().newUser();
    const base = await kit.base('Copies', user);
    const answer = 'Godwits rest on the mudflats from August to October, when the tide is out and the worms come up.';
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push(await kit.file(base, `copy ${i}.md`, `${answer} Copy ${i}.`, {}, user));
    ids.push(await kit.file(base, 'tide.md', `The tide is not all. ${filler}`, {}, user));
    await kit.done('get_knowledge_state', { media_ids: ids, wait_seconds: 20 }, user);
    const { passages } = await kit.done(
      'search_passages',
      { query: 'when do godwits rest on mudflats, at which tide' },
      user,
    );
    expect(passages.map((one: { text: string }) => one.text.replaceAll(/<\/?em>/g, ''))).toEqual([
      expect.stringContaining(answer),
    ]);
  });

  test('a phrase in quotes is looked for as one', async () => {
    const user = await server().newUser();
    const base = await kit.base('Phrases', user);
    const scattered = `tide low water low tide low water. ${filler}`;
    const id = await kit.file(
      base,
      'p.md',
      `# One\n\n${scattered}\n\n# Two\n\nThe low water tide table. ${filler}`,
      {},
      user,
    );
    await kit.done('get_knowledge_state', { media_ids: [id], wait_seconds: 20 }, user);
    const { passages } = await kit.done('search_passages', { query: '"water tide table"' }, user);
    expect(passages[0].text).toContain('The low <em>water tide table</em>.');
    expect(passages).toHaveLength(1);
  });

  test('search_all with passages has them for items and notes', async () => {
    const user = await server().newUser();
    const word = newId('turnstone').replace('_', '');
    await server().call('http', 'note', 'import_doc', { content_format: 1, content: `# Birds\n\nabout ${word}` }, user);
    await server().app.services.searchFeed.waitUntilDrained();
    const { info_list } = await kit.done('search_all', { query: word, passages: true }, user);
    expect(info_list[0]).toMatchObject({
      kind: 'note',
      match: 'all',
      passages: [{ headings: ['Birds'], text: expect.stringContaining(word) }],
    });
  });
});
