import { expect, test } from 'vitest';
import { SqlAccountStore } from '../../src/adapters/sql/account-store.ts';
import { AuditPartitions } from '../../src/adapters/sql/audit-partitions.ts';
import type { Database } from '../../src/adapters/sql/database.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { migrations } from '../../src/adapters/sql/migrations/index.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const day = 24 * 60 * 60 * 1000;

const record = (database: Database, at: number): Promise<void> =>
  database.write(stamp({ at }), { isolation: 'repeatable read' }, async () => undefined);
const times = async (database: Database): Promise<number[]> =>
  (await new SqlAccountStore(database).listAudit({ limit: 1000 })).map(({ at }) => at);
const partitions = async (database: Database): Promise<string[]> =>
  (
    await database.all<{ name: string }>(
      "SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'audit'::regclass ORDER BY 1",
    )
  ).map(({ name }) => name);

eachDatabase('the audit by months', (name, open) => {
  test('what is older than wanted is forgotten, the rest stays in its order, and numbers go on', async () => {
    const database = await open();
    const audit = new AuditPartitions(database);
    const now = Date.now();
    await audit.createUpcoming(now);
    // A clock that is wrong writes to the rest, and is forgotten like any other.
    const written = [now - 100 * day, now - 50 * day, now, now + 40 * day, now + 4000 * day];
    for (const at of written) await record(database, at);
    expect(await times(database)).toEqual(written.toReversed());
    expect(await audit.deleteBefore(now - 60 * day)).toBe(1);
    expect(await times(database)).toEqual(written.slice(1).toReversed());
    expect(await audit.deleteBefore(now + 30 * day)).toBe(2);
    expect(await times(database)).toEqual(written.slice(3).toReversed());
    await record(database, now);
    const rows = await new SqlAccountStore(database).listAudit({ limit: 10 });
    expect(rows.map(({ id }) => id)).toEqual([6, 5, 4]);
  });

  test('more rows than one transaction deletes are all forgotten', async () => {
    const database = await open();
    await database.write(null, (tx) =>
      tx.run(
        name === 'postgres'
          ? `INSERT INTO audit (at, user_id, key_id, operation, target, request_id) SELECT n, 'u', 'k', 'o', 't', 'r' FROM generate_series(1, 12000) n`
          : `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 12000)
             INSERT INTO audit (at, user_id, key_id, operation, target, request_id) SELECT n, 'u', 'k', 'o', 't', 'r' FROM s`,
      ),
    );
    expect(await new AuditPartitions(database).deleteBefore(11_001)).toBe(11_000);
    expect(await database.get('SELECT COUNT(*) AS n FROM audit')).toEqual({ n: 1000 });
  });

  test('rows of a database from before stay, and their numbers are not given again', async () => {
    const database = await open.unmigrated();
    await migrate(
      database,
      migrations.filter(({ number }) => number < 17),
    );
    // Today's writes record more columns than this schema has.
    for (const at of [1, 2, 3])
      await database.write(null, (tx) =>
        tx.run(`INSERT INTO audit (at, user_id, key_id, operation, target, request_id)
          VALUES (${at}, 'u', 'k', 'o', 't', 'r')`),
      );
    await database.write(null, (tx) => tx.run('DELETE FROM audit WHERE id = 3'));
    await migrate(database);
    await record(database, Date.now());
    const rows = await new SqlAccountStore(database).listAudit({ limit: 10 });
    expect(rows.map(({ id }) => id)).toEqual([4, 2, 1]);
    await new AuditPartitions(database).deleteBefore(2);
    expect((await new SqlAccountStore(database).listAudit({ limit: 10 })).map(({ id }) => id)).toEqual([4, 2]);
  });

  test.runIf(name === 'postgres')(
    'months are made ahead, by several nodes at once, and dropped as a whole',
    async () => {
      const database = await open();
      const audit = new AuditPartitions(database);
      const inMonths = (count: number): number => {
        const now = new Date();
        return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 2);
      };
      await Promise.all([audit.createUpcoming(inMonths(0)), new AuditPartitions(database).createUpcoming(inMonths(0))]);
      const named = (count: number): string =>
        `audit_${new Date(inMonths(count)).toISOString().slice(0, 7).replace('-', '_')}`;
      expect(await partitions(database)).toEqual([named(1), named(2), 'audit_first', 'audit_rest'].toSorted());
      await record(database, inMonths(1));
      await audit.createUpcoming(inMonths(2));
      expect(await partitions(database)).toEqual(
        [named(1), named(2), named(3), named(4), 'audit_first', 'audit_rest'].toSorted(),
      );
      // Nothing is deleted row by row: the month went with its partition.
      expect(await audit.deleteBefore(inMonths(2))).toBe(0);
      expect(await partitions(database)).toEqual(
        [named(2), named(3), named(4), 'audit_first', 'audit_rest'].toSorted(),
      );
      expect(await times(database)).toEqual([]);
    },
  );
});
