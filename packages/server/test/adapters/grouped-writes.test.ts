import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SqlAccountStore } from '../../src/adapters/sql/account-store.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { SqlNoteStore } from '../../src/adapters/sql/notes/note-store.ts';
import { openPostgres, type PostgresDatabase } from '../../src/adapters/sql/postgres/database.ts';
import { SqlSheetStore } from '../../src/adapters/sql/sheets/sheet-store.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const count = 12;
const numbers = Array.from({ length: count }, (_, index) => index);

async function open(): Promise<PostgresDatabase> {
  const database = await openPostgres(await freshPostgres(), { connections: 2 });
  onTestFinished(() => database.close());
  await migrate(database);
  const user = { id: 'u1', name: 'u1', role: 'member', passwordHash: null } as const;
  await new SqlAccountStore(database).createUser(stamp(), user);
  return database;
}

/** Returns the statements that `work` sends to write rows, besides counters. */
async function writesOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const texts = sent.mock.calls.map(([query]) => (query as unknown as { text?: string }).text ?? String(query));
  sent.mockRestore();
  return texts.filter((text) => /INSERT INTO (?!note_space|storage_use)|UPDATE document/.test(text));
}

test('[finding Q20] notes that are written together are one statement, with their versions, index entries and audit rows', async () => {
  const database = await open();
  const store = new SqlNoteStore(database);
  const limits = { noteBytes: 2 ** 20, quotaBytes: 2 ** 40, notebooks: 10 };
  const preview = { title: 'A note', titleKey: 'a note', summary: 'Words', coverImage: '' };
  const writes = await writesOf(() =>
    Promise.all(
      numbers.map((n) => {
        const note = { id: `note ${n}`, userId: 'u1', notebook: undefined, preview, isTitled: false };
        return store.create(stamp({ userId: 'u1', requestId: `r${n}` }), { ...note, markdown: `# ${n}` }, limits);
      }),
    ),
  );
  expect(writes).toHaveLength(1);
  for (const table of ['note', 'note_version', 'search_outbox', 'audit'])
    expect(writes[0]).toContain(`INSERT INTO ${table} (`);
  for (const n of numbers) expect(await store.markdown(`note ${n}`)).toBe(`# ${n}`);
  const audit = await database.all<{ request_id: string; target: string }>(
    "SELECT request_id, target FROM audit WHERE target LIKE 'note %'",
  );
  expect(new Map(audit.map((row) => [row.target, row.request_id]))).toEqual(
    new Map(numbers.map((n) => [`note ${n}`, `r${n}`])),
  );
  const queued = await database.all<{ id: string }>("SELECT id FROM search_outbox WHERE space = 'note'");
  expect(new Set(queued.map(({ id }) => id))).toEqual(new Set(numbers.map((n) => `note ${n}`)));
});

test('[finding Q20] edits of many documents that are committed together share a statement for versions and one for rows', async () => {
  const database = await open();
  const store = new SqlSheetStore(database, { quotaBytes: 2 ** 40, documentBytes: 2 ** 40 });
  for (const n of numbers)
    await store.create(stamp({ userId: 'u1', requestId: `made${n}` }), { id: `d${n}`, title: 'D', ownerId: 'u1' }, []);
  const edit = (version: number, n: number) => {
    const by = stamp({ userId: 'u1', requestId: `r${version} ${n}`, at: 5000 });
    const texts = { tool: 'set_cell_value', mutations: `[${n}]`, inverse: '[]' };
    return store.append(`d${n}`, [{ stamp: by, revision: { version, userId: 'u1', at: 5000, seed: n, ...texts } }]);
  };
  // The first edit of each queues it for the index, too.
  await Promise.all(numbers.map((n) => edit(1, n)));
  const writes = await writesOf(() => Promise.all(numbers.map((n) => edit(2, n))));
  expect(writes.map((text) => [text.includes('UPDATE document'), text.includes('INTO revision')])).toEqual([
    [true, false],
    [false, true],
  ]);
  for (const n of numbers)
    expect((await store.revisions(`d${n}`, 1, 10)).map(({ mutations }) => mutations)).toEqual([`[${n}]`]);
});
