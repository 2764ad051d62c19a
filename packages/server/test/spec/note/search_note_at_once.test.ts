import { expect, test } from 'vitest';
import { onSurface } from '@sheaf/tools/testing/test-server.ts';
import { importNote } from './support.ts';

onSurface('note', 'search_note, asked at once', (call, server) => {
  test('[finding S7] finds a note as soon as it was answered, changed and deleted ones too', async () => {
    const user = await server().newUser();
    const find = async (content: string): Promise<number> => {
      const input = { search_type: 1, query_info: { content }, start: 0, end: 20 };
      let { data } = await call('search_note', input, user);
      // On a busy machine the index may be behind; then the answer says so, and a later one has it.
      for (let tries = 0; data.index_behind === true && tries < 100; tries++)
        ({ data } = await call('search_note', input, user));
      return data.total_hit_num;
    };
    for (let i = 0; i < 5; i++) {
      const id = await importNote(call, `about plover${i}`, {}, user);
      expect(await find(`plover${i}`)).toBe(1);
      await call('append_doc', { note_id: id, content_format: 1, content: `and dunlin${i}` }, user);
      expect(await find(`dunlin${i} plover${i}`)).toBe(1);
      await call('delete_note', { note_id: id }, user);
      expect(await find(`dunlin${i}`)).toBe(0);
    }
  });

  test('[finding S2] a question finds the note that has most of it, marked as such', async () => {
    const user = await server().newUser();
    await importNote(call, 'The committee approves the budget in November.', { title: 'Budget' }, user);
    await importNote(call, 'Lunch is at noon.', { title: 'Lunch' }, user);
    const query_info = { content: 'when will the committee approve our budget?' };
    const { data } = await call('search_note', { search_type: 1, query_info, start: 0, end: 20 }, user);
    expect(data.total_hit_num).toBe(1);
    expect(data.search_note_infos[0]).toMatchObject({ note_book_info: { title: 'Budget' }, match: 'all' });
  });
});
