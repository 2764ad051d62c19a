import { tokensVersion } from '@sheaf/search/analysis/tokenizer';
import { segmentFormat } from '@sheaf/search/index/segment-format';
import { expect, it, onTestFinished } from 'vitest';
import { Indexer } from '../../src/adapters/search/indexer.ts';
import { PostgresSearchIndex } from '../../src/adapters/search/postgres-index.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { queueForIndex } from '../../src/adapters/sql/queue-for-index.ts';
import type { SearchEntry } from '../../src/ports/search-index.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { openSearchIndex, searchWorker } from '@sheaf/tools/testing/search-index.ts';

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
    const index = await openSearchIndex(database);
    const indexer = new Indexer({ database, index, loaders, clock, log });
    expect([index.needsRebuild, await indexer.waitForOwnWrites('note', 'u', Date.now() + 20)]).toEqual([true, false]);
    expect(await indexer.rebuildIfNeeded(sources)).toBe(true);
    await indexer.waitUntilDrained();
    expect(await indexer.waitForOwnWrites('note', 'u', Date.now() + 300)).toBe(true);
    expect((await index.search(query)).total).toBe(450);
    expect(await indexer.rebuildIfNeeded(sources)).toBe(false);
    await indexer.stop();
    await index.close();
  });
});

it('is done by one node; the others wait for it, and take over from one that died', async () => {
  const database = await openPostgres(await freshPostgres());
  await migrate(database);
  const [first, second] = [await openSearchIndex(database), await openSearchIndex(database)];
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
  await indexer.waitUntilDrained();
  expect((await first.search(query)).total).toBe(450);
  await indexer.stop();
  await first.close();
  await second.close();
  await database.close();
});

it('[finding Q3] a frequent word reads no more of PostgreSQL than its list', async () => {
  const database = await openPostgres(await freshPostgres(), { connections: 1 });
  await migrate(database);
  const index = await openSearchIndex(database);
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

it('reads of what is gone only what it has not seen, however much that is in all', async () => {
  const database = await openPostgres(await freshPostgres(), { connections: 1 });
  await migrate(database);
  const [index, other] = [await openSearchIndex(database), await openSearchIndex(database)];
  const many = Array.from({ length: 6000 }, (_, i) => entryOf(`m${i}`));
  await index.put(many);
  await index.remove(
    'note',
    many.slice(0, 1500).map(({ id }) => id),
  );
  const goneRead = async (): Promise<number> => {
    await database.get('SELECT 1 AS told FROM pg_stat_force_next_flush()');
    const row = await database.get<{ n: number }>(
      "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS n FROM pg_stat_all_tables WHERE relname = 'search_gone'",
    );
    return row!.n;
  };
  // While a transaction is open that began before the deletions, a node reads them again. Other tests share the server.
  const allBefore = 'SELECT pg_snapshot_xmin(pg_current_snapshot()) > max(written) AS ended FROM search_gone';
  await expect.poll(async () => database.get(allBefore), { timeout: 25_000 }).toEqual({ ended: true });
  expect((await other.search(query)).total).toBe(4500);
  await database.all('ANALYZE search_gone');
  // Nothing is merged meanwhile, which reads all of it.
  await index.close();
  for (const round of [1, 2, 3]) {
    await database.write(null, async (tx) => {
      await tx.execute(
        'INSERT INTO search_gone (document, space) SELECT number, space FROM search_document WHERE id = ?',
        `m${5000 + round}`,
      );
      await tx.execute('DELETE FROM search_document WHERE id = ?', `m${5000 + round}`);
      await tx.execute("UPDATE search_space SET version = version + 1 WHERE space = 'note'");
    });
    const before = await goneRead();
    expect((await other.search(query)).total).toBe(4500 - round);
    expect((await goneRead()) - before).toBeLessThan(20);
  }
  // A segment that is new to a node comes with what has gone from it.
  await other.put([entryOf('n1'), entryOf('n2')]);
  await other.put([entryOf('n1')]);
  const third = await openSearchIndex(database);
  expect([(await other.search(query)).total, (await third.search(query)).total]).toEqual([4499, 4499]);
  await other.close();
  await third.close();
  await database.close();
});

it('a node of an older version notices that a newer one has taken the index over, and leaves the changes to it', async () => {
  const database = await openPostgres(await freshPostgres());
  await migrate(database);
  const older = await PostgresSearchIndex.open({ database, worker: searchWorker, format: 'older' });
  const oldIndexer = new Indexer({ database, index: older, loaders, clock, log });
  await oldIndexer.rebuildIfNeeded(sources);
  await oldIndexer.waitUntilDrained();
  expect([(await older.search(query)).total, older.needsRebuild]).toEqual([450, false]);

  const newer = await openSearchIndex(database);
  const newIndexer = new Indexer({ database, index: newer, loaders, clock, log });
  onTestFinished(() => newIndexer.stop());
  // It looks at nothing that another version wrote, also before it has begun.
  expect([(await newer.search(query)).total, newer.needsRebuild]).toEqual([0, true]);
  expect(await newIndexer.rebuildIfNeeded(sources)).toBe(true);
  await database.write(null, (tx) => queueForIndex(tx, 'note', 'n9999'));
  await expect(older.put([entryOf('n9999')])).rejects.toThrow(
    `the search index is of format ${segmentFormat}.${tokensVersion}, written by a newer version of sheaf; this one writes older`,
  );
  await oldIndexer.waitUntilDrained();
  expect([(await older.search(query)).total, await oldIndexer.waitForOwnWrites('note', 'u', Date.now() + 20)]).toEqual([
    0,
    false,
  ]);
  // What the older one had in hand is not waited for: it was given back.
  await newIndexer.waitUntilDrained();
  expect((await newer.search(query)).total).toBe(451);
  expect(await database.all('SELECT DISTINCT format FROM search_segment')).toEqual([
    { format: `${segmentFormat}.${tokensVersion}` },
  ]);

  // One that does not know of formats at all cannot write a segment.
  await expect(
    database.write(null, (tx) =>
      tx.execute("INSERT INTO search_segment (space, documents, bytes) VALUES ('note', 1, 1)"),
    ),
  ).rejects.toThrow('format');
  await older.close();
  await newer.close();
  await database.close();
});

it('merges what batches left once nothing is written, so that a question looks into few segments', async () => {
  const database = await openPostgres(await freshPostgres());
  await migrate(database);
  const index = await openSearchIndex(database);
  for (let from = 0; from < 450; from += 50) await index.put(ids.slice(from, from + 50).map(entryOf));
  const segments = async (): Promise<number> =>
    (await database.get<{ n: number }>('SELECT count(*) AS n FROM search_segment'))!.n;
  for (let tries = 0; tries < 200 && (await segments()) > 2; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await segments()).toBeLessThanOrEqual(2);
  expect((await index.search(query)).total).toBe(450);
  await index.close();
  await database.close();
});
