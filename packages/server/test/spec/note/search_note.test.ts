import { expect, test } from 'vitest';
import { onSurface, type Key } from '@sheaf/tools/testing/test-server.ts';
import { importNote, titles } from './support.ts';

onSurface('note', 'search_note', (call, server) => {
  const find = async (user: Key, query_info: Record<string, string>, more: Record<string, unknown> = {}) => {
    await server().app.services.searchFeed.waitUntilDrained();
    return call(
      'search_note',
      { search_type: 'content' in query_info ? 1 : 0, query_info, start: 0, end: 20, sort_type: 2, ...more },
      user,
    );
  };
  const shelf = async (): Promise<Key> => {
    const user = await server().newUser();
    const notes: [string, string][] = [
      ['会议记录 Budget', '今天的会议讨论了预算和人工智能。'],
      ['Résumé', 'Naïve café words, the quick brown fox'],
      ['Shopping', 'milk, 牛奶, brown bread, quick tea'],
      ['日本語', 'ひらがなとカタカナのテスト'],
      ['한국어', '대한민국 서울에서 만난 사람'],
    ];
    for (const [title, content] of notes) await importNote(call, content, { title }, user);
    return user;
  };

  test('[N50] search_type 0 looks in titles', async () => {
    const user = await shelf();
    const found = await find(user, { title: 'budget' });
    expect(found).toMatchObject({ code: 0, data: { is_end: true, total_hit_num: 1 } });
    expect(titles(found)).toEqual(['会议记录 Budget']);
    expect(titles(await find(user, { title: 'milk' }))).toEqual([]);
    expect(titles(await find(user, { title: '会议' }))).toEqual(['会议记录 Budget']);
    const [info] = found.data.search_note_infos;
    expect(info.highlightInfo).toEqual({ doc_title: '会议记录 <em>Budget</em>' });
    expect(info.note_book_info).toMatchObject({
      title: '会议记录 Budget',
      summary: '今天的会议讨论了预算和人工智能。',
    });
  });

  test('[N51] [N57] search_type 1 looks in texts, and shows where', async () => {
    const user = await shelf();
    const found = await find(user, { content: 'milk' });
    expect(titles(found)).toEqual(['Shopping']);
    expect(found.data.search_note_infos[0].highlightInfo).toEqual({
      doc_title: 'Shopping',
      doc_content: '<em>milk</em>, 牛奶, brown bread, quick tea',
    });
    const id = await importNote(call, 'a <b>bold</b> & wild needle', { title: '<i>T</i>' }, user);
    const [hit] = (await find(user, { content: 'needle' })).data.search_note_infos;
    expect(hit.note_book_info.note_id).toBe(id);
    expect(hit.highlightInfo.doc_content).toBe('a &lt;b&gt;bold&lt;/b&gt; &amp; wild <em>needle</em>');
    expect(hit.highlightInfo.doc_title).toBe('&lt;i&gt;T&lt;/i&gt;');
  });

  test('[N52] [finding S13] search_type alone decides which keyword counts', async () => {
    const user = await shelf();
    const both = { title: 'shopping', content: 'fox' };
    expect(titles(await find(user, both, { search_type: 0 }))).toEqual(['Shopping']);
    expect(titles(await find(user, both, { search_type: 1 }))).toEqual(['Résumé']);
    expect(titles(await find(user, both, { search_type: undefined }))).toEqual(['Shopping']);
    const found = await find(user, { title: '"', content: 'fox' }, { search_type: 1 });
    expect(found.data.search_note_infos[0].highlightInfo).toEqual({
      doc_title: 'Résumé',
      doc_content: '…café words, the quick brown <em>fox</em>',
    });
    // The other keyword alone is none at all: everything is listed.
    expect((await find(user, { content: 'fox' }, { search_type: 0 })).data.total_hit_num).toBe(5);
    const older = await call('search_note_book', { search_type: 1, query_info: both, start: 0, end: 20 }, user);
    expect(older.data).toMatchObject({ total_hit_num: 1, docs: [{ doc: { basic_info: { title: 'Résumé' } } }] });
  });

  test('[N53] without keywords everything is found, at once', async () => {
    const user = await shelf();
    const all = await call('search_note', { start: 0, end: 2, sort_type: 1 }, user);
    expect(all.data).toMatchObject({ is_end: false, total_hit_num: 5 });
    expect(titles(all)).toEqual(['한국어', '日本語']);
    expect(all.data.search_note_infos[0].highlightInfo).toEqual({});
    expect(
      titles(await call('search_note', { start: 4, end: 24, sort_type: 1, query_info: { title: ' ' } }, user)),
    ).toEqual(['会议记录 Budget']);
  });

  test('[N54] end is past start by 1 to 20', async () => {
    const range = async (start: number, end: number) => call('search_note', { start, end });
    expect(await range(0, 20)).toMatchObject({ code: 0 });
    expect(await range(0, 21)).toMatchObject({
      code: 210001,
      msg: 'end: must not be more than 20 past start (got start 0, end 21)',
      data: {},
    });
    expect(await range(5, 5)).toMatchObject({
      code: 210001,
      msg: 'end: must be greater than start (got start 5, end 5)',
    });
    expect(await range(-1, 5)).toMatchObject({ code: 210001, msg: 'start: must be at least 0 (got -1)' });
    expect(await call('search_note', { start: 0 })).toMatchObject({ code: 210001, msg: 'end: is required' });
  });

  test('[N55] [N56] four orders, pages and an honest total', async () => {
    const user = await server().newUser();
    const wait = () => new Promise((resolve) => setTimeout(resolve, 3));
    for (const [title, size] of [
      ['n 10', 3],
      ['n 9', 1],
      ['n 2', 2],
    ] as const) {
      await importNote(call, `token ${'x'.repeat(size)}`, { title }, user);
      await wait();
    }
    await importNote(call, 'nothing', { title: 'other' }, user);
    const order = async (sort_type: number) => titles(await find(user, { content: 'token' }, { sort_type }));
    expect(await order(0)).toEqual(['n 2', 'n 9', 'n 10']);
    expect(await order(1)).toEqual(['n 2', 'n 9', 'n 10']);
    expect(await order(2)).toEqual(['n 2', 'n 9', 'n 10']);
    expect(await order(3)).toEqual(['n 10', 'n 2', 'n 9']);
    const first = await find(user, { content: 'token' }, { start: 0, end: 2 });
    expect([titles(first), first.data.is_end, first.data.total_hit_num]).toEqual([['n 2', 'n 9'], false, 3]);
    const second = await find(user, { content: 'token' }, { start: 2, end: 4 });
    expect([titles(second), second.data.is_end, second.data.total_hit_num]).toEqual([['n 10'], true, 3]);
  });

  test('[N58] two-character words, single characters, case, accents, phrases, any script', async () => {
    const user = await shelf();
    const content = async (words: string) => titles(await find(user, { content: words }));
    expect(await content('会议')).toEqual(['会议记录 Budget']);
    expect(await content('人工智能')).toEqual(['会议记录 Budget']);
    expect(await content('奶')).toEqual(['Shopping']);
    expect(await content('CAFE naive')).toEqual(['Résumé']);
    expect(await content('quick brown')).toEqual(['Résumé', 'Shopping']);
    expect(await content('"quick brown"')).toEqual(['Résumé']);
    expect(await content('カタカナ')).toEqual(['日本語']);
    expect(await content('서울')).toEqual(['한국어']);
    expect(await content('absent')).toEqual([]);
    expect(await content('议会')).toEqual([]);
    expect(titles(await find(user, { title: 'resume' }))).toEqual(['Résumé']);
  });

  test("[N59] nobody finds another's notes; deleted ones are not found, changed ones by what they say now", async () => {
    const user = await server().newUser();
    const other = await server().newUser();
    const id = await importNote(call, 'unicorn', {}, user);
    expect((await find(other, { content: 'unicorn' })).data.total_hit_num).toBe(0);
    expect((await find(user, { content: 'unicorn' })).data.total_hit_num).toBe(1);
    await call('append_doc', { note_id: id, content_format: 1, content: 'dragon' }, user);
    expect((await find(user, { content: 'dragon unicorn' })).data.total_hit_num).toBe(1);
    await call('update_note', { note_id: id, content: 'griffin' }, user);
    expect((await find(user, { content: 'unicorn' })).data.total_hit_num).toBe(0);
    await call('delete_note', { note_id: id }, user);
    expect((await find(user, { content: 'griffin' })).data).toEqual({
      search_note_infos: [],
      is_end: true,
      total_hit_num: 0,
    });
    await call('restore_note', { note_id: id }, user);
    expect((await find(user, { content: 'griffin' })).data.total_hit_num).toBe(1);
  });

  test('[N60] a note of 1 MiB is found by its last word', async () => {
    const user = await server().newUser();
    await importNote(call, `${'some words 和一些字\n\n'.repeat(35_000)}lastword`, {}, user);
    expect((await find(user, { content: 'lastword' })).data.search_note_infos[0].highlightInfo.doc_content).toContain(
      '<em>lastword</em>',
    );
  });
});
