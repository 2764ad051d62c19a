import { expect, test, onTestFinished } from 'vitest';
import { BulkInsert } from '../../src/adapters/sql/bulk-insert.ts';
import { openPostgres, type PostgresDatabase } from '../../src/adapters/sql/postgres/database.ts';
import { isServerError } from '../../src/adapters/sql/postgres/errors.ts';
import { SqlNoteStore } from '../../src/adapters/sql/notes/note-store.ts';
import { SqlSheetStore } from '../../src/adapters/sql/sheets/sheet-store.ts';
import { SqlWikiStore } from '../../src/adapters/sql/wiki/wiki-store.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { Unavailable } from '../../src/ports/availability-errors.ts';
import { freshPostgres, postgresAdmin } from '@sheaf/tools/testing/postgres.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

test('only a server that has answered has surely rolled back', () => {
  const codes = ['23505', '40001', '40P01', 'XX000', 'EPIPE', 'ECONNRESET', '08006', '57P01', ''];
  expect(codes.filter((code) => isServerError({ code }))).toEqual(['23505', '40001', '40P01', 'XX000']);
});

async function open(connections = 2): Promise<PostgresDatabase> {
  const database = await openPostgres(await freshPostgres(), { connections });
  onTestFinished(() => database.close());
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY)'], 'SELECT 1');
  return database;
}

test('[T75] postgres: a connection dropped inside a transaction is Unavailable, writes nothing, and the next write succeeds', async () => {
  const database = await open();
  const interrupted = database.write(null, { lock: 'item' }, async (tx) => {
    await tx.run('INSERT INTO item VALUES (1)');
    const backend = await tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await postgresAdmin('SELECT pg_terminate_backend($1, 5000)', [backend!.pid]);
    await tx.run('INSERT INTO item VALUES (2)');
  });
  await expect(interrupted).rejects.toThrow(Unavailable);
  expect(await database.all('SELECT id FROM item')).toEqual([]);
  await database.write(null, { lock: 'item' }, (tx) => tx.run('INSERT INTO item VALUES (3)'));
  expect(await database.all('SELECT id FROM item')).toEqual([{ id: 3 }]);
});

test('[T75] postgres: connections dropped while idle are replaced', async () => {
  const database = await open();
  const own = await database.get<{ name: string }>('SELECT current_database() AS name');
  await postgresAdmin('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [own!.name]);
  // The drop reaches this process with the next turns; until then a connection may still look usable.
  for (let attempt = 0; attempt < 20; attempt++) {
    const outcome = await database.ping().then(
      () => 'ok',
      (error: unknown) => error,
    );
    if (outcome === 'ok') break;
    expect(outcome).toBeInstanceOf(Unavailable);
  }
  expect(await database.write(null, (tx) => tx.run('INSERT INTO item VALUES (1)'))).toBe(1);
});

test('postgres: a snapshot whose connection drops gives its connection up', async () => {
  const database = await open();
  const broken = database.snapshot(async (view) => {
    const backend = await view.get<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await postgresAdmin('SELECT pg_terminate_backend($1, 5000)', [backend!.pid]);
    return view.all('SELECT id FROM item');
  });
  await expect(broken).rejects.toThrow(Unavailable);
  for (let round = 0; round < 4; round++)
    expect(await database.snapshot((view) => view.all('SELECT id FROM item'))).toEqual([]);
});

test('postgres: two nodes that write under one lock take turns', async () => {
  const url = await freshPostgres();
  const nodes = [await openPostgres(url), await openPostgres(url)];
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
  });
  await nodes[0]!.script(['CREATE TABLE counter (n BIGINT)', 'INSERT INTO counter VALUES (0)'], 'SELECT 1');
  let runs = 0;
  const increment = (node: PostgresDatabase) =>
    node.write(null, { lock: 'counter' }, async (tx) => {
      runs++;
      const row = await tx.get<{ n: number }>('SELECT n FROM counter');
      await tx.run('UPDATE counter SET n = ?', row!.n + 1);
    });
  await Promise.all(Array.from({ length: 30 }, (_, index) => increment(nodes[index % 2]!)));
  expect(await nodes[0]!.get('SELECT n FROM counter')).toEqual({ n: 30 });
  // With the lock no transaction ever had to be run again.
  expect(runs).toBe(30);
});

test('postgres: no server at the address is Unavailable', async () => {
  await expect(openPostgres('postgres://sheaf@127.0.0.1:1/none')).rejects.toThrow(Unavailable);
});

test('postgres: writes that wait for one lock go into one transaction, each failing or succeeding for itself', async () => {
  const database = await open();
  const transactions = new Set<string>();
  const add = (id: number, refuse: 'before' | 'after' | 'never' = 'never') =>
    database.write(null, { lock: 'item' }, async (tx) => {
      const row = await tx.get<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      if (refuse === 'before') throw new Error(`refused ${id}`);
      await tx.execute('INSERT INTO item VALUES (?)', id);
      if (refuse === 'after') throw new Error(`undone ${id}`);
      transactions.add(row!.id);
      return id;
    });
  const settled = async (writes: Promise<number>[]) =>
    (await Promise.allSettled(writes)).map((one) =>
      one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
    );
  expect(await settled([add(1), add(2), add(3, 'before'), add(4)])).toEqual([1, 2, 'refused 3', 4]);
  expect(transactions.size).toBe(1);
  // One that fails after it has written takes nothing of the others with it, nor does a statement nobody waited for.
  expect(await settled([add(5), add(6, 'after'), add(1), add(7)])).toEqual([
    5,
    'undone 6',
    'the row exists already',
    7,
  ]);
  expect(await database.all('SELECT id FROM item ORDER BY id')).toEqual([1, 2, 4, 5, 7].map((id) => ({ id })));
});

test('postgres: rows that writes of one moment add go to the server in few statements, those of a write alone at once', async () => {
  const database = await open(1);
  const client = await database.pool.connect();
  const sent: string[] = [];
  const query = client.query;
  client.query = ((...args: Parameters<typeof query>) => {
    const [statement] = args as unknown as [string | { text: string }];
    sent.push(typeof statement === 'string' ? statement : statement.text);
    return query.apply(client, args);
  }) as typeof query;
  client.release();
  const items = new BulkInsert('INSERT INTO item VALUES', 1);
  const write = (first: number) =>
    database.write(
      null,
      {
        lock: `item ${first}`,
        batch: 'items',
      },
      (tx) => tx.add(items, [[first], [first + 1], [first + 2]]),
    );
  const inserts = (): number => sent.splice(0).filter((text) => text.startsWith('INSERT INTO item')).length;
  await Promise.all([0, 10, 20, 30, 40, 50].map(write));
  // 16 rows and 2.
  expect(inserts()).toBe(2);
  await write(60);
  expect(inserts()).toBe(1);
  client.query = query;
  expect(await database.get('SELECT COUNT(*) AS n, SUM(id) AS sum FROM item')).toEqual({ n: 21, sum: 651 });
});

/** How often something was sent to the server and waited for. The database has one connection. */
async function turnsOf(database: PostgresDatabase, work: () => Promise<unknown>): Promise<number> {
  const client = await database.pool.connect();
  const { stream } = (client as unknown as { connection: { stream: NodeJS.WritableStream & NodeJS.EventEmitter } })
    .connection;
  const write = stream.write;
  const send = write.bind(stream) as (...args: unknown[]) => boolean;
  let turns = 0;
  let isWaiting = false;
  // Answers that come without anything having been sent in between belong to one turn.
  const answered = (): void => {
    isWaiting = false;
  };
  stream.write = ((...args: unknown[]) => {
    if (!isWaiting) turns += 1;
    isWaiting = true;
    return send(...args);
  }) as typeof write;
  stream.on('data', answered);
  client.release();
  await work();
  stream.off('data', answered);
  stream.write = write;
  return turns;
}

test('postgres: a write takes one turn with the server for its reads and one for all the rest', async () => {
  const database = await open(1);
  const add = (): Promise<unknown> =>
    database.write(null, { lock: 'item' }, async (tx) => {
      const row = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM item');
      for (let id = 0; id < 5; id++) await tx.execute('INSERT INTO item VALUES (?)', row!.n + id);
    });
  expect(await turnsOf(database, add)).toBe(2);
  expect(await database.get('SELECT COUNT(*) AS n FROM item')).toEqual({ n: 5 });
});

test('[finding Q10] postgres: a new note and an edit of a document take two turns each', async () => {
  const database = await open(1);
  await migrate(database);
  const notes = new SqlNoteStore(database);
  const limits = { noteBytes: 1e6, notebooks: 10, quotaBytes: 1e9 };
  const face = { title: 'T', titleKey: 't', summary: '', coverImage: '' };
  const create = (id: string) => () =>
    notes.create(stamp(), { id, userId: 'u', preview: face, isTitled: false, markdown: '# T' }, limits);
  await create('note_1')();
  expect(await turnsOf(database, create('note_2'))).toBe(2);
  const sheets = new SqlSheetStore(database, { quotaBytes: 1e9, documentBytes: 1e9 });
  await sheets.create(stamp(), { id: 'doc', title: 'D', ownerId: 'u' }, []);
  const edit = (version: number) => () =>
    sheets.append('doc', [
      {
        stamp: stamp(),
        revision: { version, userId: 'u', at: version, tool: 'set', seed: 1, mutations: '[]', inverse: '[]' },
      },
    ]);
  await edit(1)();
  expect(await turnsOf(database, edit(2))).toBe(2);
});

test('[finding Q10] postgres: edits of many documents in one moment share a transaction', async () => {
  const database = await open(4);
  await migrate(database);
  const sheets = new SqlSheetStore(database, { quotaBytes: 1e9, documentBytes: 1e9 });
  const ids = Array.from({ length: 32 }, (_, index) => `file_${index}`);
  for (const id of ids) await sheets.create(stamp(), { id, title: id, ownerId: 'u' }, []);
  const revision = { version: 1, userId: 'u', at: 1, tool: 'set_cell_value', seed: 1, mutations: '[]', inverse: '[]' };
  await Promise.all(ids.map((id) => sheets.append(id, [{ stamp: stamp(), revision }])));
  expect(await database.get('SELECT COUNT(*) AS n, COUNT(DISTINCT xmin::text) AS sharing FROM revision')).toEqual({
    n: 32,
    sharing: 1,
  });
});

test('postgres: a slow group holds up nobody but those who need one of its locks, and these in their order', async () => {
  const database = await open(3);
  const order: string[] = [];
  const write = (lock: string, id: number, wait?: Promise<unknown>) =>
    database.write(null, { lock, batch: 'items' }, async (tx) => {
      await tx.run('INSERT INTO item VALUES (?)', id);
      await wait;
      order.push(`${lock}${id}`);
    });
  let release: (() => void) | undefined;
  const slow = write('a', 1, new Promise<void>((resolve) => (release = resolve)));
  const own = await database.get<{ name: string }>('SELECT current_database() AS name');
  const inTransaction = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND state = 'idle in transaction'`;
  while ((await postgresAdmin(inTransaction, [own!.name])).length === 0);
  const after = [write('a', 2), write('b', 3), write('a', 4)];
  // Would it wait for the slow one, this would never end.
  await after[1];
  release!();
  await Promise.all([slow, ...after]);
  expect(order).toEqual(['b3', 'a1', 'a2', 'a4']);
});

test('postgres: bodies that interleave go together under one lock, and others wait for all of them', async () => {
  const database = await open(1);
  const log: string[] = [];
  const write = (name: string, interleaves: boolean): Promise<void> =>
    database.write(null, { lock: interleaves ? { shared: 'item' } : 'item' }, async (tx) => {
      log.push(`${name} begins`);
      for (let turn = 0; turn < 3; turn++) await tx.get('SELECT COUNT(*) AS n FROM item');
      log.push(`${name} ends`);
    });
  await Promise.all([write('a', true), write('b', true), write('c', false), write('d', true)]);
  expect(log).toEqual(['a begins', 'b begins', 'a ends', 'b ends', 'c begins', 'c ends', 'd begins', 'd ends']);
});

test('postgres: many files added to a base at once take few turns', async () => {
  const database = await open(1);
  await migrate(database);
  const wiki = new SqlWikiStore(database);
  const base = { id: 'kb', userId: 'u', name: 'B', description: '', coverUrl: '', questions: [], isPersonal: false };
  await wiki.bases.createBase(stamp(), base);
  const add = (number: number): Promise<unknown> =>
    wiki.items.addItem(
      stamp(),
      {
        id: `media_${number}`,
        baseId: 'kb',
        folderId: 'kb',
        userId: 'u',
        mediaType: 7,
        title: `file ${number}`,
        state: 'queued',
        kind: 'markdown',
        fileName: 'f.md',
        contentType: 'text/markdown',
        fileSize: 1,
        blobKey: `media/${number}.md`,
        contentId: '',
        lastModifyTime: 0,
        sealedPassword: '',
      },
      'keep_both',
      { quotaBytes: 1e9 },
    );
  await Promise.all([0, 1, 2].map(add));
  const alone = await turnsOf(database, () => add(3));
  // One transaction, or two: one for the first, one for those that came behind it.
  expect(await turnsOf(database, () => Promise.all(Array.from({ length: 31 }, (_, i) => add(i + 4))))).toBeLessThan(
    alone * 6,
  );
});
