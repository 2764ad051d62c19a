import { expect, it } from 'vitest';
import type { Database } from '../../src/adapters/sql/database.ts';
import { listLiveIds } from '../../src/adapters/sql/live-ids.ts';
import { SqlNoteStore } from '../../src/adapters/sql/notes/note-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const limits = { noteBytes: 1000, quotaBytes: 10_000_000, notebooks: 5 };
const face = { title: 't', titleKey: 't', summary: '', coverImage: '' };
const idOf = (n: number): string => `note_${String(n).padStart(6, '0')}`;

async function add(database: Database, from: number, to: number): Promise<void> {
  const store = new SqlNoteStore(database);
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  await Promise.all(
    numbers.map((n) =>
      store.create(stamp(), { id: idOf(n), userId: 'user_1', preview: face, isTitled: false, markdown: 'x' }, limits),
    ),
  );
}

async function all(ids: AsyncIterable<string>): Promise<string[]> {
  const told: string[] = [];
  for await (const id of ids) told.push(id);
  return told;
}

eachDatabase('the ids of everything', (_name, open) => {
  it('are told in order, whole pages of them, without what is deleted', async () => {
    const database = await open();
    expect(await all(listLiveIds(database, 'note', 'document'))).toEqual([]);
    await add(database, 0, 2000);
    await database.write(null, (tx) => tx.execute('UPDATE note SET deleted_at = 1 WHERE id = ?', idOf(7)));
    const expected = Array.from({ length: 2000 }, (_, n) => idOf(n)).filter((id) => id !== idOf(7));
    expect(await all(listLiveIds(database, 'note', 'document'))).toEqual(expected);
  });

  it('end with what was there when they began, however much is written meanwhile', async () => {
    const database = await open();
    await add(database, 0, 1000);
    const told: string[] = [];
    for await (const id of listLiveIds(database, 'note')) {
      if (told.length === 0) await add(database, 1000, 1500);
      told.push(id);
    }
    expect(told).toEqual(Array.from({ length: 1000 }, (_, n) => idOf(n)));
  });
});
