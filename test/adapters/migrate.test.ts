import { expect, test } from 'vitest';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { migrations } from '../../src/adapters/sql/migrations/index.ts';
import type { Migration } from '../../src/adapters/sql/migrations/migration.ts';
import { eachDatabase } from '../support/databases.ts';

const first: Migration = { number: 1, name: 'first', statements: () => ['CREATE TABLE one (id BIGINT)', 'INSERT INTO one VALUES (1)'] };
const second: Migration = { number: 2, name: "it's second", statements: () => ['CREATE TABLE two (id BIGINT)', 'INSERT INTO two VALUES (2)'] };
const broken: Migration = { number: 2, name: 'broken', statements: () => ['CREATE TABLE two (id BIGINT)', 'INSERT INTO no_such_table VALUES (2)'] };

test('migrations are numbered from 1 without gaps', () => {
  expect(migrations.map((step) => step.number)).toEqual(migrations.map((_, index) => index + 1));
});

eachDatabase('migrate', (_name, open) => {
  test('brings an empty database up to date, and a second run changes nothing', async () => {
    const database = await open.unmigrated();
    expect(await migrate(database)).toBe(migrations.length);
    expect(await migrate(database)).toBe(migrations.length);
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
      'the database has schema version 2, this sheaf knows 1: start the newer sheaf, or restore a backup',
    );
    expect(await database.all('SELECT id FROM two')).toEqual([{ id: 2 }]);
  });

  test('two nodes that start together both succeed and each step runs once', async () => {
    const place = await open.place();
    const nodes = [await place.connect(), await place.connect(), await place.connect()];
    expect(await Promise.all(nodes.map((node) => migrate(node, [first, second])))).toEqual([2, 2, 2]);
    expect(await nodes[0]!.all('SELECT id FROM one')).toEqual([{ id: 1 }]);
  });
});
