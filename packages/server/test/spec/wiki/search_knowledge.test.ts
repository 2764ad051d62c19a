import { expect, test } from 'vitest';
import { oneLinePdf } from '@sheaf/tools/testing/one-line-pdf.ts';
import { onWiki, titles, wikiKit } from './support.ts';

onWiki('search_knowledge', (call, server) => {
  const kit = wikiKit(call);
  const indexed = () => server().app.services.searchFeed.waitUntilDrained();
  const search = (base: string, query: string, more: object = {}) =>
    kit.done('search_knowledge', { query, cursor: '', knowledge_base_id: base, ...more });

  test('[W50] finds by title, heading and body, in any script, best first', async () => {
    const base = await kit.base();
    const body = await kit.file(base, 'body.md', 'A text that mentions the 季度预算 once, near its end.');
    const heading = await kit.file(base, 'heading.md', '# About\n\n## 季度预算\n\nnothing else');
    const title = await kit.file(base, '季度预算.md', 'empty of it');
    const pdf = await kit.file(base, 'paper.pdf', oneLinePdf('The quokka smiles'));
    await kit.ready(body, heading, title, pdf);
    await indexed();
    expect(titles((await search(base, '季度预算')).info_list)).toEqual(['季度预算.md', 'heading.md', 'body.md']);
    expect(titles((await search(base, '预算')).info_list).toSorted()).toEqual(
      ['body.md', 'heading.md', '季度预算.md'].toSorted(),
    );
    expect((await search(base, 'QUOKKA')).info_list).toEqual([
      {
        media_id: pdf,
        title: 'paper.pdf',
        parent_folder_id: base,
        media_type: 1,
        match: 'all',
        highlight_content: 'The <em>quokka</em> smiles',
      },
    ]);
  });

  test('[W51][T35] highlight_content only when the body matched, everything but our own marks escaped', async () => {
    const base = await kit.base();
    const title = await kit.file(base, 'walrus.md', 'no such animal');
    const body = await kit.file(base, 'other.txt', 'before <em><script>alert("walrus")</script></em> after & more');
    await kit.ready(title, body);
    await indexed();
    const { info_list } = await search(base, 'walrus');
    expect(info_list[0]).toEqual({
      media_id: title,
      title: 'walrus.md',
      parent_folder_id: base,
      media_type: 7,
      match: 'all',
    });
    expect(info_list[1].highlight_content).toBe(
      'before &lt;em&gt;&lt;script&gt;alert("<em>walrus</em>")&lt;/script&gt;&lt;/em&gt; after &amp; more',
    );
  });

  test('[W52] folders are found by name, with their id as media_id and type 99', async () => {
    const base = await kit.base();
    const outer = await kit.folder(base, 'Outer');
    const folder = await kit.folder(base, 'Annual reports', outer);
    await indexed();
    expect((await search(base, 'reports')).info_list).toEqual([
      { media_id: folder, title: 'Annual reports', parent_folder_id: outer, media_type: 99, match: 'all' },
    ]);
  });

  test('[W53] 20 a page, all of them reachable, none twice', async () => {
    const base = await kit.base();
    const { session_id } = await kit.done('create_session', {
      title: 'S',
      messages: [{ role: 'user', content: 'pelican' }],
    });
    for (let i = 0; i < 45; i++)
      await kit.done('add_knowledge', {
        media_type: 12,
        title: `Item ${i}`,
        knowledge_base_id: base,
        session_info: { content_id: session_id },
      });
    await indexed();
    const seen: string[] = [];
    let cursor = '';
    let pages = 0;
    for (; pages < 5; pages++) {
      const page = await search(base, 'pelican', { cursor });
      seen.push(...page.info_list.map((one: { media_id: string }) => one.media_id));
      expect(page.total).toBe(pages === 0 ? 45 : 44);
      if (page.is_end) break;
      cursor = page.next_cursor;
      // One of those already seen goes: nothing that stays is skipped.
      if (pages === 0) {
        await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [seen[3]] });
        await indexed();
      }
    }
    expect([seen.length, new Set(seen).size, pages]).toEqual([45, 45, 2]);
  });

  test('[W54] a tampered cursor and one of another query are refused', async () => {
    const base = await kit.base();
    for (const cursor of ['x', 'WzIwXQ.0000'])
      expect(await call('search_knowledge', { query: 'a', cursor, knowledge_base_id: base })).toMatchObject({
        code: 110001,
        msg: expect.stringContaining('cursor'),
      });
  });

  test('[W55][T71] what was renamed, moved away or deleted is found as it is now', async () => {
    const base = await kit.base();
    const other = await kit.base('Other');
    const id = await kit.file(base, 'gecko.md', 'text');
    const moved = await kit.file(base, 'moved.md', 'gecko moved');
    const gone = await kit.file(base, 'gone.md', 'gecko gone');
    await kit.ready(id, moved, gone);
    await kit.done('rename_knowledge', { media_id: id, title: 'lizard.md' });
    await kit.done('move_knowledge', { knowledge_base_id: base, media_ids: [moved], target_knowledge_base_id: other });
    await kit.done('delete_knowledge', { knowledge_base_id: base, media_ids: [gone] });
    await indexed();
    expect((await search(base, 'gecko')).info_list).toEqual([]);
    expect(titles((await search(base, 'lizard')).info_list)).toEqual(['lizard.md']);
    expect(titles((await search(other, 'gecko')).info_list)).toEqual(['moved.md']);
  });

  test('[W56] an empty query finds everything; one that matches nothing, nothing', async () => {
    const base = await kit.base();
    await kit.folder(base, 'F');
    await indexed();
    expect(titles((await search(base, '')).info_list)).toEqual(['F']);
    expect(await search(base, 'zzzz')).toEqual({ info_list: [], is_end: true, next_cursor: '', total: 0 });
  });
});
