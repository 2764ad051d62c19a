import { expect, test } from 'vitest';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { migrations } from '../../src/adapters/sql/migrations/index.ts';
import type { Migration } from '../../src/adapters/sql/migrations/migration.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';

const first: Migration = {
  number: 1,
  name: 'first',
  statements: () => ['CREATE TABLE one (id BIGINT)', 'INSERT INTO one VALUES (1)'],
};
const second: Migration = {
  number: 2,
  name: "it's second",
  statements: () => ['CREATE TABLE two (id BIGINT)', 'INSERT INTO two VALUES (2)'],
};
const broken: Migration = {
  number: 2,
  name: 'broken',
  statements: () => ['CREATE TABLE two (id BIGINT)', 'INSERT INTO no_such_table VALUES (2)'],
};

test('migrations are numbered from 1, ascending', () => {
  const numbers = migrations.map((step) => step.number);
  expect(numbers[0]).toBe(1);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

eachDatabase('migrate', (_name, open) => {
  test('brings an empty database up to date, and a second run changes nothing', async () => {
    const database = await open.unmigrated();
    const newest = migrations.at(-1)!.number;
    expect(await migrate(database)).toBe(newest);
    expect(await migrate(database)).toBe(newest);
    expect(await database.get('SELECT COUNT(*) AS n FROM schema_version')).toEqual({ n: migrations.length });
    expect(await database.all('SELECT id FROM user_account')).toEqual([]);
  });

  test('adds only the steps that are missing', async () => {
    const database = await open.unmigrated();
    expect(await migrate(database, [first])).toBe(1);
    expect(await migrate(database, [first, second])).toBe(2);
    expect(await database.all('SELECT id FROM one')).toEqual([{ id: 1 }]);
    expect(await database.all('SELECT id FROM two')).toEqual([{ id: 2 }]);
    expect(await database.all('SELECT number, name FROM schema_version ORDER BY number')).toEqual([
      { number: 1, name: 'first' },
      { number: 2, name: "it's second" },
    ]);
  });

  test('[T73] a step that fails half-way is undone whole, and the next start does it', async () => {
    const database = await open.unmigrated();
    await expect(migrate(database, [first, broken])).rejects.toThrow('no_such_table');
    expect(await database.all('SELECT number FROM schema_version')).toEqual([{ number: 1 }]);
    await expect(database.all('SELECT id FROM two')).rejects.toThrow('two');
    expect(await migrate(database, [first, second])).toBe(2);
    expect(await database.all('SELECT id FROM two')).toEqual([{ id: 2 }]);
  });

  test('[T73] a newer schema is refused with a line that says what to do', async () => {
    const database = await open.unmigrated();
    await migrate(database, [first, second]);
    await expect(migrate(database, [first])).rejects.toThrow(
      'the database has schema version 2, but this version of sheaf supports up to 1; start the newer version, or restore a backup',
    );
    expect(await database.all('SELECT id FROM two')).toEqual([{ id: 2 }]);
  });

  test('a newer schema that only adds is no obstacle to who knows the step it works with, and one to who does not', async () => {
    const database = await open.unmigrated();
    const third: Migration = {
      number: 3,
      name: 'adds',
      worksWith: 2,
      statements: () => ['CREATE TABLE three (id BIGINT)'],
    };
    await migrate(database, [first, second, third]);
    expect(await migrate(database, [first, second])).toBe(2);
    await expect(migrate(database, [first])).rejects.toThrow('the database has schema version 3');
    // Takes away what code since step 3 no longer uses.
    const fourth: Migration = { number: 4, name: 'takes away', worksWith: 3, statements: () => ['DROP TABLE two'] };
    await migrate(database, [first, second, third, fourth]);
    expect(await migrate(database, [first, second, third])).toBe(3);
    await expect(migrate(database, [first, second])).rejects.toThrow('supports up to 2');
  });

  test('two nodes that start together both succeed and each step runs once', async () => {
    const place = await open.place();
    const nodes = [await place.connect(), await place.connect(), await place.connect()];
    expect(await Promise.all(nodes.map((node) => migrate(node, [first, second])))).toEqual([2, 2, 2]);
    expect(await nodes[0]!.all('SELECT id FROM one')).toEqual([{ id: 1 }]);
  });
});

eachDatabase('storage of an older sheaf', (_name, open) => {
  test('[finding R5] documents and images kept before they counted are counted on opening, beside what counted already', async () => {
    const database = await open.unmigrated();
    await migrate(database, migrations.slice(0, 8));
    await database.write(null, async (tx) => {
      await tx.run("INSERT INTO storage_use (user_id, bytes) VALUES ('u1', 7)");
      for (const id of ['d1', 'd2'])
        await tx.run(
          "INSERT INTO document (id, title, owner_id, version, created_at, modified_at) VALUES (?, 'T', 'u1', 1, 1, 1)",
          id,
        );
      await tx.run(
        "INSERT INTO revision (document_id, version, user_id, at, tool, seed, mutations, inverse) VALUES ('d1', 1, 'u1', 1, 't', 0, 'é字', '[]')",
      );
      await tx.run(
        "INSERT INTO document_snapshot (document_id, version, blob_key, size, sha256) VALUES ('d1', 1, 'k', 20000, '')",
      );
      await tx.run(
        "INSERT INTO sheet_image (id, owner_id, blob_key, content_type, width, height, size, created_at) VALUES ('i', 'u2', 'b', 'image/png', 1, 1, 500, 1)",
      );
    });
    await migrate(database);
    expect(await database.all('SELECT id, stored_bytes, counted_bytes FROM document ORDER BY id')).toEqual([
      { id: 'd1', stored_bytes: 20_007, counted_bytes: 32_768 },
      { id: 'd2', stored_bytes: 0, counted_bytes: 0 },
    ]);
    expect(await database.all('SELECT user_id, bytes FROM storage_use ORDER BY user_id')).toEqual([
      { user_id: 'u1', bytes: 32_775 },
      { user_id: 'u2', bytes: 500 },
    ]);
  });
});
