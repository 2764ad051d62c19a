import { expect, it, onTestFinished } from 'vitest';
import { Indexer } from '../../src/adapters/search/indexer.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres.ts';
import type { SearchEntry } from '../../src/ports/search-index.ts';
import { eachDatabase } from '../support/databases.ts';
import { freshPostgres } from '../support/postgres.ts';
import { openIndex } from '../support/search.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined } as never;

function entryOf(id: string): SearchEntry {
  const fixed = { space: 'note', owner: 'u', headings: '', created: 1, modified: 1, titleKey: id, size: 1 };
  return { ...fixed, id, title: id, body: `about terns ${id}` };
}

const ids = Array.from({ length: 450 }, (_, i) => `n${i}`);
const loaders = { note: async (wanted: string[]) => wanted.map(entryOf) };
const sources = { note: () => ids };
const query = { space: 'note', owners: ['u'], anywhere: 'tern', order: 'rank', offset: 0, limit: 1 } as const;

eachDatabase('rebuilding', (_name, open) => {
  it('lists everything, tells that it is behind until all of it is found, and then no more', async () => {
    const database = await open();
    const index = await openIndex(database);
    const indexer = new Indexer({ database, index, loaders, clock, log });
    expect([index.needsRebuild, await indexer.caughtUp('note', Date.now() + 20)]).toEqual([true, false]);
    expect(await indexer.rebuildIfNeeded(sources)).toBe(true);
    await indexer.drained();
    expect(await indexer.caughtUp('note', Date.now() + 300)).toBe(true);
    expect((await index.search(query)).total).toBe(450);
    expect(await indexer.rebuildIfNeeded(sources)).toBe(false);
    await indexer.stop();
    await index.close();
  });
});

it('is done by one node; the others wait for it, and take over from one that died', async () => {
  const database = await openPostgres(await freshPostgres());
  await migrate(database);
  const [first, second] = [await openIndex(database), await openIndex(database)];
  expect([await first.takeRebuild(), await second.takeRebuild(), await first.takeRebuild()]).toEqual([
    'mine',
    'elsewhere',
    'mine',
  ]);
  const indexer = new Indexer({ database, index: second, loaders, clock, log });
  onTestFinished(() => indexer.stop());
  // The first dies: its lease runs out.
  await database.write(null, (tx) =>
    tx.execute("UPDATE search_state SET value = 'node_x 1' WHERE name = 'rebuilding'"),
  );
  expect(await indexer.rebuildIfNeeded(sources)).toBe(true);
  expect([await first.takeRebuild(), first.needsRebuild]).toEqual(['done', false]);
  await indexer.drained();
  expect((await first.search(query)).total).toBe(450);
  await indexer.stop();
  await first.close();
  await second.close();
  await database.close();
});

it('[finding Q3] a frequent word reads no more of PostgreSQL than its list', async () => {
  const database = await openPostgres(await freshPostgres(), { connections: 1 });
  await migrate(database);
  const index = await openIndex(database);
  const many = Array.from({ length: 4000 }, (_, i) => entryOf(`m${i}`));
  for (let from = 0; from < many.length; from += 500) await index.put(many.slice(from, from + 500));
  const rowsRead = async (): Promise<number> => {
    // What a connection counted is told some time later otherwise; there is one.
    await database.get('SELECT 1 AS told FROM pg_stat_force_next_flush()');
    const row = await database.get<{ n: number }>(
      `SELECT SUM(COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0))::bigint AS n FROM pg_stat_all_tables
       WHERE schemaname IN ('public', 'pg_toast')`,
    );
    return row!.n;
  };
  // Segments are merged behind the batches, which reads as well: the fewest of several are the search's own.
  let fewest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8; round++) {
    const before = await rowsRead();
    expect((await index.search(query)).total).toBe(4000);
    fewest = Math.min(fewest, (await rowsRead()) - before);
  }
  expect(fewest).toBeLessThan(50);
  await index.close();
  await database.close();
});
