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
    const { passages, total } = await kit.done('search_passages', {
      query: 'how are train seats booked?',
      knowledge_base_id: base,
      limit: 2,
    });
    expect(total).toBe(1);
    expect(passages[0]).toMatchObject({
      media_id: id,
      title: 'handbook.md',
      knowledge_base_id: base,
      headings: ['Handbook', 'Travel', 'Trains'],
      text: expect.stringContaining('Seats in trains are booked by the office'),
      link: expect.stringMatching(new RegExp(`/wiki/${base}/item/${id}\\?at=${passages[0].start}$`)),
    });
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
    for (let i = 0; i < 4; i++) ids.push(await kit.file(base, `f${i}.md`, `${word} ${filler}\n\n${word} ${filler}`));
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
    expect(passages[0]).toMatchObject({ page: 'page 1', text: 'The avocet wades', start: 0 });
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
