import { expect, test, onTestFinished } from 'vitest';
import { openPostgres, type PostgresDatabase } from '../../src/adapters/sql/postgres.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { freshPostgres, postgresAdmin } from '../support/postgres.ts';

async function open(): Promise<PostgresDatabase> {
  const database = await openPostgres(await freshPostgres(), { connections: 2 });
  onTestFinished(() => database.close());
  await database.script(['CREATE TABLE item (id BIGINT PRIMARY KEY)'], 'SELECT 1');
  return database;
}

test('[T75] postgres: a connection dropped inside a transaction is Unavailable, writes nothing, and the next write succeeds', async () => {
  const database = await open();
  const interrupted = database.write(
    null,
    async (tx) => {
      await tx.run('INSERT INTO item VALUES (1)');
      const backend = await tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await postgresAdmin('SELECT pg_terminate_backend($1, 5000)', [backend!.pid]);
      await tx.run('INSERT INTO item VALUES (2)');
    },
    { lock: 'item' },
  );
  await expect(interrupted).rejects.toThrow(Unavailable);
  expect(await database.all('SELECT id FROM item')).toEqual([]);
  await database.write(null, (tx) => tx.run('INSERT INTO item VALUES (3)'), { lock: 'item' });
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
    node.write(
      null,
      async (tx) => {
        runs++;
        const row = await tx.get<{ n: number }>('SELECT n FROM counter');
        await tx.run('UPDATE counter SET n = ?', row!.n + 1);
      },
      { lock: 'counter' },
    );
  await Promise.all(Array.from({ length: 30 }, (_, index) => increment(nodes[index % 2]!)));
  expect(await nodes[0]!.get('SELECT n FROM counter')).toEqual({ n: 30 });
  // With the lock no transaction ever had to be run again.
  expect(runs).toBe(30);
});

test('postgres: no server at the address is Unavailable', async () => {
  await expect(openPostgres('postgres://sheaf@127.0.0.1:1/none')).rejects.toThrow(Unavailable);
});
