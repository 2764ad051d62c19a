import { expect, test } from 'vitest';
import { onSurface, type Key } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote, titles } from './support.ts';

onSurface('note', 'list_note', (call, server) => {
  test('[N13] lists own notes with every field', async () => {
    const user = await server().newUser();
    expect(await call('list_note', { cursor: '', limit: 20 }, user)).toEqual({
      code: 0,
      msg: 'success',
      data: { note_book_list: [], is_end: true, next_cursor: '' },
    });
    const id = await importNote(call, '# T\n\nwords', {}, user);
    const { data } = await call('list_note', { cursor: '', limit: '20', unknown_field: 1 }, user);
    expect(data).toEqual({
      note_book_list: [
        {
          note_id: id,
          doc_id: id,
          title: 'T',
          summary: 'words',
          create_time: expect.any(Number),
          modify_time: expect.any(Number),
          cover_image: '',
          note_ext_info: { folder_id: `user_uncategorized_${user.userId}`, folder_name: 'Uncategorized' },
          size: 10,
          version: 1,
        },
      ],
      is_end: true,
      next_cursor: '',
    });
    expect(data.note_book_list[0].create_time).toBeGreaterThan(1_700_000_000_000);
  });

  test('[N14] [finding C2] the limit is 1 to 20; a missing cursor is the first page, null is none', async () => {
    expect(await call('list_note', { cursor: '', limit: 0 })).toMatchObject({
      code: 210001,
      msg: 'limit: must be at least 1 (got 0)',
    });
    expect(await call('list_note', { cursor: '', limit: 21 })).toMatchObject({
      code: 210001,
      msg: 'limit: must be at most 20 (got 21)',
    });
    const user = await server().newUser();
    const note_id = await importNote(call, 'x', {}, user);
    const first = await call('list_note', { cursor: '', limit: 20 }, user);
    expect(first).toMatchObject({ code: 0, data: { note_book_list: [{ note_id }] } });
    expect(await call('list_note', { limit: 20 }, user)).toEqual(first);
    expect(await call('list_note', { cursor: null, limit: 20 }, user)).toMatchObject({
      code: 210001,
      msg: 'cursor: must be a string (got null)',
    });
  });

  test('[N15] four orders: newest change, newest, title with numbers by value, largest', async () => {
    const user = await server().newUser();
    const wait = () => new Promise((resolve) => setTimeout(resolve, 3));
    const made: string[] = [];
    for (const [title, size] of [
      ['note 10', 30],
      ['Note 9', 10],
      ['élan', 40],
      ['Zebra', 20],
    ] as const) {
      made.push(await importNote(call, 'x'.repeat(size), { title }, user));
      await wait();
    }
    await call('append_doc', { note_id: made[0], content_format: 1, content: 'y' }, user);
    const order = async (sort_type?: number) =>
      titles(await call('list_note', { cursor: '', limit: 20, sort_type }, user));
    expect(await order()).toEqual(['note 10', 'Zebra', 'élan', 'Note 9']);
    expect(await order(0)).toEqual(['note 10', 'Zebra', 'élan', 'Note 9']);
    expect(await order(1)).toEqual(['Zebra', 'élan', 'Note 9', 'note 10']);
    expect(await order(2)).toEqual(['élan', 'Note 9', 'note 10', 'Zebra']);
    expect(await order(3)).toEqual(['élan', 'note 10', 'Zebra', 'Note 9']);
  });

  test('[N16] [T77] paging visits each note once while others come and go', { timeout: 60_000 }, async () => {
    const user = await server().newUser();
    for (const sort_type of [0, 1, 2, 3]) {
      const stay: string[] = [];
      const doomed: string[] = [];
      for (let i = 0; i < 24; i++) {
        const id = await importNote(call, `${'x'.repeat(1 + (i % 5))} ${sort_type}`, { title: `t${i % 7}` }, user);
        (i % 4 === 3 ? doomed : stay).push(id);
      }
      const seen = await walk(user, sort_type, async (page) => {
        await importNote(call, `late ${'y'.repeat(page)}`, { title: `t${page}` }, user);
        const gone = doomed.pop();
        if (gone !== undefined) await call('delete_note', { note_id: gone }, user);
      });
      const count = (id: string) => seen.filter((other) => other === id).length;
      expect(stay.map(count)).toEqual(stay.map(() => 1));
      expect(new Set(seen).size).toBe(seen.length);
      for (const id of seen) await call('delete_note', { note_id: id }, user);
      for (const note of (await call('list_note', { cursor: '', limit: 20 }, user)).data.note_book_list)
        await call('delete_note', { note_id: note.note_id }, user);
    }
  });

  async function walk(user: Key, sort_type: number, between: (page: number) => Promise<void>): Promise<string[]> {
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 50; page++) {
      const { data } = await call('list_note', { cursor, limit: 3, sort_type }, user);
      seen.push(...data.note_book_list.map((note: { note_id: string }) => note.note_id));
      if (data.is_end) break;
      cursor = data.next_cursor;
      await between(page);
    }
    return seen;
  }

  test('[N17] a plain number skips that many notes', async () => {
    const user = await server().newUser();
    for (const title of ['a', 'b', 'c', 'd', 'e']) await importNote(call, 'x', { title }, user);
    const page = async (cursor: unknown) => call('list_note', { cursor, limit: 2, sort_type: 2 }, user);
    expect(titles(await page('0'))).toEqual(['a', 'b']);
    const middle = await page('2');
    expect(titles(middle)).toEqual(['c', 'd']);
    expect(middle.data.is_end).toBe(false);
    expect(titles(await page(middle.data.next_cursor))).toEqual(['e']);
    expect(titles(await page(4))).toEqual(['e']);
    expect((await page('99')).data).toEqual({ note_book_list: [], is_end: true, next_cursor: '' });
  });

  test('[N18] a tampered cursor, or one of another list, is 210001', async () => {
    const user = await server().newUser();
    for (const title of ['a', 'b', 'c']) await importNote(call, 'x', { title }, user);
    const { next_cursor } = (await call('list_note', { cursor: '', limit: 1 }, user)).data;
    const refused = async (cursor: string, more = {}, as = user) =>
      (await call('list_note', { cursor, limit: 1, ...more }, as)).code;
    expect(await refused(next_cursor)).toBe(0);
    expect(await refused(`x${next_cursor}`)).toBe(210001);
    expect(await refused(next_cursor.slice(0, -1))).toBe(210001);
    expect(await refused('garbage')).toBe(210001);
    expect(await refused('-1')).toBe(210001);
    expect(await refused(next_cursor, { sort_type: 2 })).toBe(210001);
    expect(await refused(next_cursor, {}, server().owner)).toBe(210001);
  });

  test('[N19] folder_id: the root and "" mean all, the uncategorized one those in none; unknown is 210035', async () => {
    const user = await server().newUser();
    const folder = await addNotebook(call, 'Box', {}, user);
    const inside = await addNotebook(call, 'Inner', { parent_folder_id: folder }, user);
    await importNote(call, 'x', { title: 'loose' }, user);
    await importNote(call, 'x', { title: 'boxed', folder_id: folder }, user);
    await importNote(call, 'x', { title: 'inner', folder_id: inside }, user);
    const list = async (folder_id?: string) =>
      titles(await call('list_note', { cursor: '', limit: 20, folder_id, sort_type: 2 }, user));
    expect(await list()).toEqual(['boxed', 'inner', 'loose']);
    expect(await list('')).toEqual(['boxed', 'inner', 'loose']);
    expect(await list(`user_list_${user.userId}`)).toEqual(['boxed', 'inner', 'loose']);
    expect(await list(`user_uncategorized_${user.userId}`)).toEqual(['loose']);
    expect(await list(folder)).toEqual(['boxed']);
    expect(await list(inside)).toEqual(['inner']);
    expect(await call('list_note', { cursor: '', limit: 20, folder_id: 'nope' }, user)).toMatchObject({ code: 210035 });
    expect(await call('list_note', { cursor: '', limit: 20, folder_id: folder })).toMatchObject({ code: 210035 });
    expect(await call('list_note', { cursor: '', limit: 20, folder_id: `user_list_${user.userId}` })).toMatchObject({
      code: 210035,
    });
  });
});
