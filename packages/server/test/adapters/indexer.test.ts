import { expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { Indexer, type IndexTarget } from '../../src/adapters/search/indexer.ts';
import { LazySearchFeed } from '../../src/adapters/search/lazy-index.ts';
import type { EntryLoader } from '../../src/adapters/search/load-batch.ts';
import type { Database } from '../../src/adapters/sql/database.ts';
import { queueForIndex } from '../../src/adapters/sql/queue-for-index.ts';
import type { Logger } from '../../src/lib/logger.ts';
import type { SearchEntry, SearchIndex } from '../../src/ports/search-index.ts';
import { systemStamp } from '../../src/ports/audit-stamp.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { openSearchIndex } from '@sheaf/tools/testing/search-index.ts';

const quiet: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store in memory: what matters here is the outbox, not the store. */
class Things {
  readonly texts = new Map<string, string>();
  readonly loads: string[][] = [];

  readonly load: EntryLoader = async (ids) => {
    this.loads.push(ids);
    return ids.flatMap((id) => {
      const body = this.texts.get(id);
      return body === undefined ? [] : [entryOf(id, body)];
    });
  };
}

function entryOf(id: string, body: string): SearchEntry {
  return {
    space: 'note',
    id,
    owner: 'ann',
    title: '',
    headings: '',
    body,
    created: 1,
    modified: 1,
    titleKey: '',
    size: body.length,
  };
}

async function changeBy(database: Database, userId: string, ...ids: string[]): Promise<void> {
  await database.write(systemStamp(1, 'test', userId), async (tx) => {
    for (const id of ids) await queueForIndex(tx, 'note', id);
  });
}

async function change(database: Database, ...ids: string[]): Promise<void> {
  await database.write(null, async (tx) => {
    for (const id of ids) await queueForIndex(tx, 'note', id);
  });
}

async function found(index: SearchIndex, anywhere: string): Promise<string[]> {
  const query = { space: 'note', owners: ['ann'], anywhere, order: 'modified', offset: 0, limit: 1000 } as const;
  return (await index.search(query)).hits.map((hit) => hit.id);
}

async function waiting(database: Database): Promise<number> {
  return (await database.get<{ n: number }>('SELECT COUNT(*) AS n FROM search_outbox'))?.n ?? -1;
}

eachDatabase('indexer', (name, open) => {
  it('a search says that the index is behind if a rebuild ends while it looks at the outbox', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const target = Object.create(index, { needsRebuild: { value: true, writable: true } }) as IndexTarget & {
      needsRebuild: boolean;
    };
    const things = new Things();
    const clock = { now: () => Date.now() };
    const indexer = new Indexer({ database, index: target, loaders: { note: things.load }, clock, log: quiet });
    const waiting = indexer.waitForOwnWrites('note', 'ann', Date.now() + 5000);
    target.needsRebuild = false;
    expect(await waiting).toBe(false);
    expect(await indexer.waitForOwnWrites('note', 'ann', Date.now() + 5000)).toBe(true);
  });

  it('a search says that the index is behind while entries of a rebuild are in the outbox', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    await index.rebuilt();
    const things = new Things();
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    const slow: EntryLoader = async (ids) => held.then(() => things.load(ids));
    const clock = { now: () => Date.now() };
    const indexer = new Indexer({ database, index, loaders: { note: slow }, clock, log: quiet });
    things.texts.set('a', 'apple');
    await change(database, 'a');
    expect(await indexer.waitForOwnWrites('note', 'ann', Date.now() + 1000)).toBe(false);
    go();
    await indexer.waitUntilDrained();
    expect(await indexer.waitForOwnWrites('note', 'ann', Date.now() + 1000)).toBe(true);
    await indexer.stop();
  });

  it("[finding S14] a search waits for its caller's own changes as long as they need", async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    await index.rebuilt();
    const things = new Things();
    const slow: EntryLoader = async (ids) => sleep(1000).then(() => things.load(ids));
    const clock = { now: () => Date.now() };
    const indexer = new Indexer({ database, index, loaders: { note: slow }, clock, log: quiet });
    const feed = new LazySearchFeed({ indexer, prepare: () => Promise.resolve(), log: quiet });
    things.texts.set('a', 'apple');
    await changeBy(database, 'ann', 'a');
    expect(await feed.waitForOwnWrites('note', 'ann')).toBe(true);
    expect(await found(index, 'apple')).toEqual(['a']);
    // Others do not wait so long, and are not told that something is missing of what they wrote.
    things.texts.set('b', 'apple');
    await changeBy(database, 'ann', 'b');
    const since = performance.now();
    expect(await feed.waitForOwnWrites('note', 'bob')).toBe(true);
    expect(performance.now() - since).toBeLessThan(5000);
    await feed.stop();
    await index.close();
  });

  it("[finding S14] what somebody waits for is indexed before others' changes, however many there are", async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    await index.rebuilt();
    const things = new Things();
    const ids = Array.from({ length: 120 }, (_, i) => `b${i}`);
    for (const id of [...ids, 'a']) things.texts.set(id, 'apple');
    const slow: EntryLoader = async (wanted) => sleep(20).then(() => things.load(wanted));
    const clock = { now: () => Date.now() };
    const indexer = new Indexer({ database, index, loaders: { note: slow }, clock, log: quiet, batchSize: 1 });
    await changeBy(database, 'bob', ...ids);
    await changeBy(database, 'ann', 'a');
    expect(await indexer.waitForOwnWrites('note', 'ann', Date.now() + 60_000)).toBe(true);
    expect(await found(index, 'apple')).toContain('a');
    // A batch or two were on their way before anybody waited.
    expect(things.loads.findIndex(([id]) => id === 'a')).toBeLessThan(10);
    await indexer.stop();
    await index.close();
  });

  it('[finding S14] what failed is told at once, what nobody is known to have changed is waited for by all', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    await index.rebuilt();
    const indexer = new Indexer({
      database,
      index,
      loaders: { note: () => Promise.reject(new Error('cannot be read')) },
      clock: { now: () => Date.now() },
      log: quiet,
    });
    await changeBy(database, 'ann', 'a');
    await indexer.waitUntilDrained();
    expect(await indexer.waitForOwnWrites('note', 'ann', Date.now() + 60_000)).toBe(false);
    expect(await indexer.waitForOwnWrites('note', 'bob', Date.now() + 60_000)).toBe(true);
    await database.write(null, (tx) =>
      tx.execute(
        "INSERT INTO search_outbox (space, id, claim, lease_until) VALUES ('note', 'x', 'elsewhere', ?)",
        Date.now() + 3_600_000,
      ),
    );
    const until = Date.now() + 1000;
    expect(await indexer.waitForOwnWrites('note', 'bob', until)).toBe(false);
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    await indexer.stop();
    await index.close();
  });

  it('indexes what changed, drops what is gone, and empties the outbox', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    const indexer = new Indexer({
      database,
      index,
      loaders: { note: things.load },
      clock: { now: () => 1000 },
      log: quiet,
    });
    things.texts.set('a', 'apple');
    things.texts.set('b', 'apple');
    await change(database, 'a', 'b', 'a', 'ghost');
    await indexer.waitUntilDrained();
    expect(await found(index, 'apple')).toEqual(['a', 'b']);
    expect(things.loads).toEqual([['a', 'b', 'ghost']]);
    things.texts.delete('a');
    things.texts.set('b', 'pear');
    await change(database, 'a', 'b');
    await indexer.waitUntilDrained();
    expect(await found(index, 'apple')).toEqual([]);
    expect(await found(index, 'pear')).toEqual(['b']);
    expect(await waiting(database)).toBe(0);
    await indexer.stop();
    await index.close();
  });

  it('writes nothing to the outbox when the store rolls back', async () => {
    const database = await open();
    await expect(
      database.write(null, async (tx) => {
        await queueForIndex(tx, 'note', 'a');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await waiting(database)).toBe(0);
  });

  it('takes over what a crashed node had claimed', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    let now = 1000;
    const make = (load: EntryLoader): Indexer =>
      new Indexer({ database, index, loaders: { note: load }, clock: { now: () => now }, log: quiet, leaseMs: 500 });
    things.texts.set('a', 'apple');
    await change(database, 'a');
    let reached = (): void => undefined;
    const loading = new Promise<void>((resolve) => {
      reached = resolve;
    });
    // Stops for good between claim and put, as a killed process does.
    const dead = make(() => {
      reached();
      return new Promise(() => undefined);
    });
    dead.wake();
    await loading;
    const heir = make(things.load);
    await heir.start();
    if (name === 'postgres') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await found(index, 'apple')).toEqual([]);
      now += 501;
    }
    await heir.waitUntilDrained();
    expect(await found(index, 'apple')).toEqual(['a']);
    expect(await waiting(database)).toBe(0);
    await heir.stop();
    await index.close();
  });

  it('keeps the good entries of a batch with a bad one, and tries that one again later', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    let broken = true;
    let now = 1000;
    const loader: EntryLoader = async (ids) => {
      if (broken && ids.includes('bad')) throw new Error('cannot be read');
      return things.load(ids);
    };
    const indexer = new Indexer({
      database,
      index,
      loaders: { note: loader },
      clock: { now: () => now },
      log: quiet,
      backoffMs: 500,
    });
    for (const id of ['a', 'bad', 'z']) things.texts.set(id, 'apple');
    await change(database, 'a', 'bad', 'z');
    await indexer.waitUntilDrained();
    expect(await found(index, 'apple')).toEqual(['a', 'z']);
    expect(await waiting(database)).toBe(1);
    broken = false;
    await indexer.waitUntilDrained();
    expect(await found(index, 'apple')).toEqual(['a', 'z']);
    now += 501;
    await indexer.waitUntilDrained();
    expect(await found(index, 'apple')).toEqual(['a', 'bad', 'z']);
    await indexer.stop();
    await index.close();
  });

  it('rebuilds a space from nothing but ids, once', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    await index.put([entryOf('stale', 'apple')]);
    const all = Array.from({ length: 450 }, (_, i) => `n${String(i).padStart(3, '0')}`);
    for (const id of all) things.texts.set(id, 'apple');
    const indexer = new Indexer({
      database,
      index,
      loaders: { note: things.load },
      clock: { now: () => 1000 },
      log: quiet,
      batchSize: 100,
    });
    expect(await indexer.rebuildIfNeeded({ note: () => all })).toBe(true);
    await indexer.waitUntilDrained();
    expect(await found(index, 'apple')).toEqual(all);
    expect(await indexer.rebuildIfNeeded({ note: () => all })).toBe(false);
    await indexer.stop();
    await index.close();
  });

  it('lets two nodes share the work, and the latest state wins', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    const nodes = [0, 1].map(
      () =>
        new Indexer({
          database,
          index,
          loaders: { note: things.load },
          clock: { now: () => Date.now() },
          log: quiet,
          batchSize: 7,
        }),
    );
    const ids = Array.from({ length: 20 }, (_, i) => `n${String(i).padStart(2, '0')}`);
    for (let round = 0; round < 15; round++) {
      for (const id of ids) things.texts.set(id, `round${round}`);
      await change(database, ...ids);
      for (const node of nodes) node.wake();
    }
    await Promise.all(nodes.map((node) => node.waitUntilDrained()));
    expect(await found(index, 'round14')).toEqual(ids);
    expect(await found(index, 'round13')).toEqual([]);
    expect(await waiting(database)).toBe(0);
    for (const node of nodes) await node.stop();
    await index.close();
  });

  it('begins no more batches with three nodes than with one', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    const delay = 200;
    const batchesOf = async (count: number): Promise<{ batches: number; delays: number }> => {
      const before = things.loads.length;
      const start = performance.now();
      const nodes = Array.from(
        { length: count },
        () =>
          new Indexer({
            database,
            index,
            loaders: { note: things.load },
            clock: { now: () => Date.now() },
            nodes: () => count,
            log: quiet,
            unawaitedDelayMs: delay,
          }),
      );
      for (let n = 0; n < 120; n++) {
        things.texts.set(`n${n}`, 'apple');
        await change(database, `n${n}`);
        nodes[n % count]!.wake();
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      await Promise.all(nodes.map((node) => node.stop()));
      return { batches: things.loads.length - before, delays: (performance.now() - start) / delay };
    };
    const alone = await batchesOf(1);
    expect(alone.batches).toBeGreaterThan(3);
    // Together, the nodes begin one batch per delay, as one node does. Each node begins its first batch at once.
    for (const { batches, delays } of [alone, await batchesOf(3)]) expect(batches).toBeLessThanOrEqual(delays + 5);
    await index.close();
  });

  /** An index that notes what is put and waits where told. */
  function watched(index: SearchIndex): { target: IndexTarget; puts: string[][]; open: () => void } {
    const puts: string[][] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const target: IndexTarget = {
      needsRebuild: false,
      put: async (entries) => {
        puts.push(entries.map((entry) => entry.id));
        await gate;
        await index.put(entries);
      },
      remove: (space, ids) => index.remove(space, ids),
      clear: (space) => index.clear(space),
      takeRebuild: () => index.takeRebuild(),
      rebuilt: () => index.rebuilt(),
    };
    return { target, puts, open };
  }

  async function until(condition: () => boolean): Promise<void> {
    for (let turn = 0; turn < 2000 && !condition(); turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(condition()).toBe(true);
  }

  it('loads the next batch while one is written, and writes them in their order', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    const { target, puts, open: release } = watched(index);
    const indexer = new Indexer({
      database,
      index: target,
      loaders: { note: things.load },
      clock: { now: () => 1000 },
      log: quiet,
      batchSize: 2,
    });
    for (const id of ['a', 'b', 'c', 'd']) things.texts.set(id, 'apple');
    // One thing is in both batches: it is this node's own, and waits for nobody.
    await change(database, 'a', 'b', 'b', 'c', 'd');
    indexer.wake();
    await until(() => things.loads.length === 2);
    expect(puts).toEqual([['a', 'b']]);
    release();
    await indexer.waitUntilDrained();
    expect(puts).toEqual([['a', 'b'], ['b', 'c'], ['d']]);
    expect(await found(index, 'apple')).toEqual(['a', 'b', 'c', 'd']);
    expect(await waiting(database)).toBe(0);
    await indexer.stop();
    await index.close();
  });

  it('gives back what it has in hand and not yet written when it stops', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    const { target, open: release } = watched(index);
    const indexer = new Indexer({
      database,
      index: target,
      loaders: { note: things.load },
      clock: { now: () => 1000 },
      log: quiet,
      batchSize: 2,
    });
    for (const id of ['a', 'b', 'c', 'd']) things.texts.set(id, 'apple');
    await change(database, 'a', 'b', 'c', 'd');
    indexer.wake();
    await until(() => things.loads.length === 2);
    const stopping = indexer.stop();
    release();
    await stopping;
    expect(await found(index, 'apple')).toEqual(['a', 'b']);
    const left = await database.all<{ id: string; claim: string }>('SELECT id, claim FROM search_outbox ORDER BY seq');
    expect(left).toEqual([
      { id: 'c', claim: '' },
      { id: 'd', claim: '' },
    ]);
    await index.close();
  });

  it('writes large things in pieces, so that a batch of them is never in memory whole', async () => {
    const database = await open();
    const index = await openSearchIndex(database);
    const things = new Things();
    const { target, puts, open: release } = watched(index);
    release();
    const ids = Array.from({ length: 120 }, (_, i) => `n${String(i).padStart(3, '0')}`);
    for (const id of ids) things.texts.set(id, `${id} ${'apple '.repeat(10_000)}`);
    await change(database, ...ids);
    const indexer = new Indexer({
      database,
      index: target,
      loaders: { note: things.load },
      clock: { now: () => 1000 },
      log: quiet,
    });
    await indexer.waitUntilDrained();
    expect(things.loads.map((loaded) => loaded.length)).toEqual([50, 50, 20]);
    expect(puts.map((put) => put.length)).toEqual([50, 50, 20]);
    expect(await found(index, 'apple')).toEqual(ids);
    expect(await waiting(database)).toBe(0);
    await indexer.stop();
    await index.close();
  });
});
