import { expect, test } from 'vitest';
import { UniqueViolation, type Database, type BatchStep, type Sql } from '../../src/adapters/sql/database.ts';
import { BulkInsert } from '../../src/adapters/sql/bulk-insert.ts';
import { IdempotencyKeyConflict } from '../../src/ports/idempotency-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

async function withItems(database: Database): Promise<Database> {
  const { text, blob, autoId } = database.dialect;
  await database.script(
    [
      `CREATE TABLE item (id ${text} PRIMARY KEY, n BIGINT, data ${blob})`,
      `CREATE TABLE line (id ${autoId}, said ${text})`,
    ],
    'SELECT 1',
  );
  return database;
}

const add = (database: Database, id: string, n = 0) =>
  database.write(null, (tx) => tx.run('INSERT INTO item (id, n) VALUES (?, ?)', id, n));
const ids = async (database: Database): Promise<string[]> =>
  (await database.all<{ id: string }>('SELECT id FROM item ORDER BY id')).map((row) => row.id);

eachDatabase('database', (name, open) => {
  test('a resolved write is seen by the next read', async () => {
    const database = await withItems(await open());
    expect(await add(database, 'a', 7)).toBe(1);
    expect(await database.get('SELECT id, n FROM item WHERE id = ?', 'a')).toEqual({ id: 'a', n: 7 });
    expect(await database.get('SELECT id FROM item WHERE id = ?', 'b')).toBeUndefined();
    expect(await database.all('SELECT id FROM item WHERE id = ?', 'b')).toEqual([]);
  });

  test('a body that throws leaves nothing, and its error comes back as it is', async () => {
    const database = await withItems(await open());
    const failing = database.write(stamp(), async (tx) => {
      await tx.run("INSERT INTO item (id) VALUES ('a')");
      throw new RangeError('changed my mind');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await ids(database)).toEqual([]);
    expect(await database.all('SELECT * FROM audit')).toEqual([]);
  });

  test('of writes that are committed together, one that fails takes nothing of the others with it', async () => {
    const database = await withItems(await open());
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'fail', 'c', 'a', 'd'].map((id) =>
        database.write(null, async (tx) => {
          await tx.run('INSERT INTO item (id) VALUES (?)', id);
          if (id === 'fail') throw new Error('no');
          return id;
        }),
      ),
    );
    const accepted = outcomes.filter((outcome) => outcome.status === 'fulfilled').map((outcome) => outcome.value);
    expect([...accepted].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(await ids(database)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a step that writes of one moment share is taken for all of them, gives each its own, and fails those alone that break it', async () => {
    const database = await withItems(await open());
    const taken: number[] = [];
    const step: BatchStep<string, string> = async (sql, names) => {
      taken.push(names.length);
      for (const name of names) await sql.execute('INSERT INTO item (id) VALUES (?)', name);
      return names.map((name) => `made ${name}`);
    };
    const write = (name: string): Promise<string> =>
      database.write(null, { lock: [], batch: 'steps' }, async (tx) => {
        const made = await tx.batched(step, name);
        if (name === 'refused') throw new RangeError('no');
        return made;
      });
    const names = Array.from({ length: 20 }, (_, n) => `item ${String(n).padStart(2, '0')}`);
    // While the first are under way the others gather.
    expect(await Promise.all([write('first'), ...names.map(write)])).toEqual(
      ['first', ...names].map((name) => `made ${name}`),
    );
    expect(taken.reduce((sum, n) => sum + n)).toBe(21);
    if (name === 'postgres') expect(taken.length).toBeLessThan(5);
    const outcomes = await Promise.allSettled(['a', 'refused', 'item 03', 'b'].map(write));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await ids(database)).toEqual(['a', 'b', 'first', ...names]);
  });

  test('rows that writes of one moment add are all there, in their order; a write that fails adds none, nor takes others with it', async () => {
    const database = await withItems(await open());
    const items = new BulkInsert('INSERT INTO item (id, n) VALUES', 2);
    const lines = new BulkInsert('INSERT INTO line (said) VALUES', 1);
    const write = (group: number): Promise<void> =>
      database.write(null, { lock: `group ${group}`, batch: 'groups' }, async (tx) => {
        const rows = Array.from({ length: group }, (_, n) => [`${group}-${String(n).padStart(3, '0')}`, n]);
        await tx.add(items, rows);
        await tx.add(
          lines,
          rows.slice(0, 1).map(([id]) => [id!]),
        );
        if (group === 3) throw new Error('no');
        // Somebody else has this one.
        if (group === 7) await tx.add(items, [['2-000', 0]]);
      });
    const outcomes = await Promise.allSettled([1, 2, 3, 7, 100, 21].map(write));
    expect(outcomes.map(({ status }) => status[0])).toEqual(['f', 'f', 'r', 'r', 'f', 'f']);
    const counts = await database.all(
      'SELECT MAX(n) + 1 AS rows, COUNT(*) AS n FROM item GROUP BY SUBSTR(id, 1, 3) ORDER BY 1',
    );
    expect(counts).toEqual([1, 2, 21, 100].map((n) => ({ rows: n, n })));
    expect(await database.all('SELECT said FROM line ORDER BY said')).toEqual(
      ['1-000', '100-000', '2-000', '21-000'].map((said) => ({ said })),
    );
  });

  test('rows of writes of one moment keep their values, whether they are taken from arrays or not', async () => {
    const database = await withItems(await open());
    const items = BulkInsert.into('item', { id: 'TEXT', n: 'BIGINT', data: 'BYTEA' });
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    const rows: (readonly [string, number | null, Uint8Array | null])[] = [
      ['', 0, bytes],
      ['{"quoted", \\ NULL}', -1, new Uint8Array()],
      ['多字节 😀', Number.MAX_SAFE_INTEGER, null],
      ['null', null, Buffer.from('null')],
      ['low', Number.MIN_SAFE_INTEGER, bytes],
      ['middle', 2 ** 32, null],
      ['below', -(2 ** 31) - 1, null],
      // These two are too large for arrays.
      ['large', 7, Buffer.alloc(300_000, 1)],
      ['beside the large one', 8, bytes],
    ];
    const write = (some: typeof rows): Promise<void> =>
      database.write(null, { lock: `item ${some[0]![0]}`, batch: 'items' }, (tx) => tx.add(items, some));
    await Promise.all(rows.slice(0, -2).map((row) => write([row])));
    await Promise.all(rows.slice(-2).map((row) => write([row])));
    const found = await database.all<{ id: string; n: number | null; data: Uint8Array | null }>(
      'SELECT id, n, data FROM item',
    );
    const plain = (one: Uint8Array | null): string | null => one && Buffer.from(one).toString('hex');
    expect(new Map(found.map(({ id, n, data }) => [id, [n, plain(data)]]))).toEqual(
      new Map(rows.map(([id, n, data]) => [id, [n, plain(data)]])),
    );
    const others = Array.from({ length: 70 }, (_, n): (typeof rows)[number] => [`other ${n}`, n, null]);
    await Promise.all(others.map((row) => write([row])));
    expect(await database.get("SELECT COUNT(*) AS n, SUM(n) AS sum FROM item WHERE id LIKE 'other %'")).toEqual({
      n: 70,
      sum: 2415,
    });
  });

  test('a write that fails leaves nothing, whichever way it changed rows', async () => {
    const database = await withItems(await open());
    await add(database, 'a');
    for (const change of [
      (tx: Sql) => tx.run("INSERT INTO item (id) VALUES ('b')"),
      (tx: Sql) => tx.get("INSERT INTO item (id) VALUES ('c') RETURNING id"),
      (tx: Sql) => tx.all("UPDATE item SET id = 'd' WHERE id = 'a' RETURNING id"),
    ]) {
      const failing = database.write(null, async (tx) => {
        await change(tx);
        throw new Error('no');
      });
      const [failed, kept] = await Promise.allSettled([
        failing,
        database.write(null, (tx) => tx.get('SELECT COUNT(*) AS n FROM item')),
      ]);
      expect([failed.status, kept.status]).toEqual(['rejected', 'fulfilled']);
      expect(await ids(database)).toEqual(['a']);
    }
  });

  test('a taken key is a UniqueViolation, by run and by get', async () => {
    const database = await withItems(await open());
    await add(database, 'a');
    await expect(add(database, 'a')).rejects.toThrow(UniqueViolation);
    await expect(
      database.write(null, (tx) => tx.get('INSERT INTO item (id) VALUES (?) RETURNING id', 'a')),
    ).rejects.toThrow(UniqueViolation);
    expect(await ids(database)).toEqual(['a']);
  });

  test('after a failed statement nothing more of the body counts, even if it swallows the error', async () => {
    const database = await withItems(await open());
    await add(database, 'a');
    const swallowing = database.write(null, async (tx) => {
      await tx.run("INSERT INTO item (id) VALUES ('b')");
      await tx.run("INSERT INTO item (id) VALUES ('a')").catch(() => 0);
      await tx.run("INSERT INTO item (id) VALUES ('c')").catch(() => 0);
      return 'fine';
    });
    await expect(swallowing).rejects.toThrow(UniqueViolation);
    expect(await ids(database)).toEqual(['a']);
  });

  test('a statement after the end of its transaction is refused', async () => {
    const database = await withItems(await open());
    const tx = await database.write(null, async (inner) => inner);
    await expect(tx.run("INSERT INTO item (id) VALUES ('late')")).rejects.toThrow('the transaction has ended');
    expect(await ids(database)).toEqual([]);
  });

  test('concurrent read-modify-writes lose no update, with and without a lock', async () => {
    const database = await withItems(await open());
    await add(database, 'with', 0);
    await add(database, 'without', 0);
    const increment = (id: string, lock?: string) =>
      database.write(null, lock === undefined ? {} : { lock }, async (tx) => {
        const row = await tx.get<{ n: number }>('SELECT n FROM item WHERE id = ?', id);
        await tx.run('UPDATE item SET n = ? WHERE id = ?', row!.n + 1, id);
      });
    await Promise.all([
      ...Array.from({ length: 40 }, () => increment('with', 'item:with')),
      ...Array.from({ length: 12 }, () => increment('without')),
    ]);
    expect(await database.all('SELECT id, n FROM item ORDER BY id')).toEqual([
      { id: 'with', n: 40 },
      { id: 'without', n: 12 },
    ]);
  });

  test('writes are serializable: two that each check the other cannot both pass', async () => {
    const database = await withItems(await open());
    const takeIfFree = (id: string) =>
      database.write(null, async (tx) => {
        const taken = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM item');
        if (taken!.n > 0) return false;
        await tx.run('INSERT INTO item (id) VALUES (?)', id);
        return true;
      });
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map(takeIfFree));
    expect(outcomes.filter(Boolean)).toEqual([true]);
    expect(await ids(database)).toHaveLength(1);
  });

  test('a lock that a failed write held is free again', async () => {
    const database = await withItems(await open());
    await expect(database.write(null, { lock: 'x' }, async () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(await database.write(null, { lock: 'x' }, async () => 'mine')).toBe('mine');
  });

  test('a snapshot keeps its view while others write', async () => {
    const database = await withItems(await open());
    await add(database, 'a');
    const seen = await database.snapshot(async (view) => {
      await add(database, 'b');
      const first = await view.all<{ id: string }>('SELECT id FROM item');
      await add(database, 'c');
      const second = await view.get<{ n: number }>('SELECT COUNT(*) AS n FROM item');
      return { first, second };
    });
    expect(seen).toEqual({ first: [{ id: 'a' }], second: { n: 1 } });
    expect(await ids(database)).toEqual(['a', 'b', 'c']);
  });

  test('[finding A5] the audit row is part of the write, once for all writes of a stamp, which stays as it is', async () => {
    const database = await withItems(await open());
    const call = stamp({ at: 5, userId: 'u', keyId: 'k', operation: 'note.create', requestId: 'r' });
    await database.write(call, { target: 'note_1' }, (tx) => tx.run("INSERT INTO item (id) VALUES ('a')"));
    expect(database.isRecorded(call)).toBe(true);
    await database.write(call, (tx) => tx.run("INSERT INTO item (id) VALUES ('b')"));
    expect(await database.all('SELECT at, user_id, key_id, operation, target, request_id FROM audit')).toEqual([
      { at: 5, user_id: 'u', key_id: 'k', operation: 'note.create', target: 'note_1', request_id: 'r' },
    ]);
  });

  test('an idempotency key is claimed with the first write and refuses a second call', async () => {
    const database = await withItems(await open());
    const call = (): ReturnType<typeof stamp> =>
      stamp({ idempotencyKey: 'once', fingerprint: 'f', answer: () => '{}' });
    const first = call();
    await database.write(first, (tx) => tx.run("INSERT INTO item (id) VALUES ('a')"));
    await database.write(first, (tx) => tx.run("INSERT INTO item (id) VALUES ('b')"));
    const second = call();
    await expect(database.write(second, (tx) => tx.run("INSERT INTO item (id) VALUES ('c')"))).rejects.toThrow(
      IdempotencyKeyConflict,
    );
    expect(database.isRecorded(second)).toBe(false);
    expect(await ids(database)).toEqual(['a', 'b']);
    expect(await database.all('SELECT user_id, key, operation, fingerprint, answer FROM idempotency')).toEqual([
      { user_id: 'user_1', key: 'once', operation: 'test', fingerprint: 'f', answer: '{}' },
    ]);
  });

  test('of concurrent calls with one key exactly one has its effect', async () => {
    const database = await withItems(await open());
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd', 'e'].map((id) =>
        database.write(stamp({ idempotencyKey: 'once', answer: () => '{}' }), (tx) =>
          tx.run('INSERT INTO item (id) VALUES (?)', id),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(IdempotencyKeyConflict);
    expect(await ids(database)).toHaveLength(1);
  });

  test('a failed write frees its key for the retry', async () => {
    const database = await withItems(await open());
    await expect(
      database.write(stamp({ idempotencyKey: 'k', answer: () => '{}' }), async () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no');
    expect(await database.write(stamp({ idempotencyKey: 'k', answer: () => '{}' }), async () => 'done')).toBe('done');
  });

  test('values come back as they went in: whole numbers up to 2^53, bytes, null, any text', async () => {
    const database = await withItems(await open());
    const text = 'quote \' " \\ ü 中文 😀 \u{10FFFF} %_?\n\t';
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await database.write(null, (tx) =>
      tx.run('INSERT INTO item (id, n, data) VALUES (?, ?, ?)', text, 9007199254740991, bytes),
    );
    await database.write(null, (tx) => tx.run('INSERT INTO item (id, n, data) VALUES (?, ?, ?)', 'nulls', null, null));
    const row = await database.get<{ id: string; n: number; data: Uint8Array }>(
      'SELECT * FROM item WHERE id = ?',
      text,
    );
    expect(row!.id).toBe(text);
    expect(row!.n).toBe(9007199254740991);
    expect(Buffer.from(row!.data).equals(Buffer.from(bytes))).toBe(true);
    expect(await database.get('SELECT * FROM item WHERE id = ?', 'nulls')).toEqual({
      id: 'nulls',
      n: null,
      data: null,
    });
  });

  test('sums and counts are numbers', async () => {
    const database = await withItems(await open());
    await add(database, 'a', 3_000_000_000);
    await add(database, 'b', 4_000_000_000);
    expect(await database.get('SELECT SUM(n) AS total, COUNT(*) AS many, MAX(n) AS top FROM item')).toEqual({
      total: 7_000_000_000,
      many: 2,
      top: 4_000_000_000,
    });
  });

  test('text sorts by code point', async () => {
    const database = await withItems(await open());
    for (const id of ['b', 'B', 'a', 'ä', 'Z', '_', '中', '1']) await add(database, id);
    expect(await ids(database)).toEqual(['1', 'B', 'Z', '_', 'a', 'b', 'ä', '中']);
  });

  test('generated ids ascend and are never reused', async () => {
    const database = await withItems(await open());
    const say = (said: string) =>
      database.write(null, (tx) => tx.get<{ id: number }>('INSERT INTO line (said) VALUES (?) RETURNING id', said));
    expect((await say('one'))!.id).toBe(1);
    expect((await say('two'))!.id).toBe(2);
    await database.write(null, (tx) => tx.run('DELETE FROM line'));
    expect((await say('three'))!.id).toBe(3);
  });

  test('what was written is there after closing and opening again', async () => {
    const place = await open.place();
    const first = await withItems(await place.connect());
    await add(first, 'a');
    await first.close();
    await first.close();
    const second = await place.connect();
    expect(await ids(second)).toEqual(['a']);
    expect(second.dialect.name).toBe(name);
  });

  test('closing waits for writes under way', async () => {
    const place = await open.place();
    const first = await withItems(await place.connect());
    const writing = Promise.all(Array.from({ length: 300 }, (_, index) => add(first, String(index).padStart(3, '0'))));
    await new Promise<void>((resolve) => setImmediate(resolve));
    const closing = first.close();
    await writing;
    await closing;
    expect(await ids(await place.connect())).toHaveLength(300);
  });
});
