/** Notes are locked one by one: what two nodes do with one account's notes and notebooks at the same time adds up all the same. */
import { expect, test } from 'vitest';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { SqlNoteStore } from '../../src/adapters/sql/notes/note-store.ts';
import { NoteRefused, type NotePreview } from '../../src/ports/note-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const limits = { noteBytes: 1000, quotaBytes: 100_000, notebooks: 1000 };
const face = (title: string): NotePreview => ({ title, titleKey: title, summary: '', coverImage: '' });
const user = 'user_1';

eachDatabase('notes of two nodes', (name, open) => {
  async function twoNodes() {
    const place = await open.place();
    const first = await place.connect();
    await migrate(first);
    const second = name === 'postgres' ? await place.connect() : first;
    return { database: first, nodes: [new SqlNoteStore(first), new SqlNoteStore(second)] as const };
  }

  const create = (store: SqlNoteStore, id: string, more: { userId?: string; markdown?: string; book?: string } = {}) =>
    store.create(
      stamp(),
      {
        id,
        userId: more.userId ?? user,
        preview: face(id),
        isTitled: false,
        markdown: more.markdown ?? 'x',
        ...(more.book === undefined ? {} : { notebook: { id: more.book } }),
      },
      limits,
    );

  test(
    'counters are right while notes come and go and notebooks are deleted under them',
    { timeout: 120_000 },
    async () => {
      const { database, nodes } = await twoNodes();
      const [one, two] = nodes;
      for (let round = 0; round < 6; round++) {
        const books = ['a', 'b', 'c'].map((letter) => `book_${round}${letter}`);
        for (const id of books) await one.addNotebook(stamp(), { id, userId: user, name: id, parentId: '' }, limits);
        const ids = Array.from({ length: 12 }, (_, index) => `note_${round}_${index}`);
        await Promise.all(ids.map((id, index) => create(nodes[index % 2]!, id, { book: books[index % 3]! })));
        const acts = [
          ...ids.slice(0, 6).map((id, index) => () => nodes[index % 2]!.trash(stamp(), user, id)),
          ...ids
            .slice(3, 9)
            .map((id, index) => () => nodes[index % 2]!.move(stamp(), user, [id], index % 2 ? '' : books[2]!)),
          ...ids.slice(0, 4).map((id, index) => () => nodes[index % 2]!.restore(stamp(), user, id)),
          () => one.removeNotebook(stamp(), user, books[0]!, 'keep'),
          () => two.removeNotebook(stamp(), user, books[1]!, 'trash'),
          ...books.map((book, index) => () => create(nodes[index % 2]!, `late_${round}_${index}`, { book })),
        ];
        const settled = await Promise.allSettled(acts.map((act) => act()));
        for (const result of settled)
          if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(NoteRefused);
        const rows = await database.all<{ notebook_id: string; deleted_at: number | null }>(
          'SELECT notebook_id, deleted_at FROM note',
        );
        const live = rows.filter((row) => row.deleted_at === null);
        const kept = await database.all<{ id: string; note_count: number }>('SELECT id, note_count FROM notebook');
        expect(await database.get('SELECT note_count, loose_count FROM note_space WHERE user_id = ?', user)).toEqual({
          note_count: live.length,
          loose_count: live.filter((row) => row.notebook_id === '').length,
        });
        for (const { id, note_count: count } of kept)
          expect([id, count]).toEqual([id, live.filter((row) => row.notebook_id === id).length]);
        const known = new Set(['', ...kept.map(({ id }) => id)]);
        expect(rows.filter((row) => !known.has(row.notebook_id))).toEqual([]);
      }
    },
  );

  test('one name asked for on both nodes at once is one notebook', async () => {
    const { nodes } = await twoNodes();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        nodes[index % 2]!.create(
          stamp(),
          {
            id: `n${index}`,
            userId: user,
            preview: face('n'),
            isTitled: false,
            markdown: 'x',
            notebook: { name: 'Recipes', newId: `book_${index}` },
          },
          limits,
        ),
      ),
    );
    expect(await nodes[0].notebooks(user, { limit: 10 })).toMatchObject([{ name: 'Recipes', noteCount: 8 }]);
  });

  test('[finding Q2] whoever has no space left is refused alone: what came with it is written, and counted once', async () => {
    const { database, nodes } = await twoNodes();
    const [store] = nodes;
    const users = ['full', 'user_2', 'user_3', 'user_4'];
    await create(store, 'first', { userId: 'full', markdown: 'y'.repeat(900) });
    const full = { ...limits, quotaBytes: 1000 };
    const writes = users.flatMap((userId) =>
      Array.from({ length: 5 }, (_, index) =>
        store.create(
          stamp(),
          { id: `${userId}_${index}`, userId, preview: face('n'), isTitled: false, markdown: 'z'.repeat(180) },
          full,
        ),
      ),
    );
    const outcomes = (await Promise.allSettled(writes)).map((one) =>
      one.status === 'fulfilled' ? 'ok' : (one.reason as NoteRefused).reason,
    );
    expect(outcomes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'no_space'));
    expect(outcomes.slice(5)).toEqual(Array.from({ length: 15 }, () => 'ok'));
    const used = await database.all('SELECT user_id, bytes FROM storage_use ORDER BY user_id');
    expect(used).toEqual([
      { user_id: 'full', bytes: 900 },
      { user_id: 'user_2', bytes: 900 },
      { user_id: 'user_3', bytes: 900 },
      { user_id: 'user_4', bytes: 900 },
    ]);
  });
});
