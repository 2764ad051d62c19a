import { UniqueViolation, type Database } from './database.ts';
import { sql } from './statement.ts';

/** Number of rows deleted per transaction, so that other writes do not wait long. */
const rowsAtOnce = 5000;
/** Number of coming months whose partitions of the audit log are created in advance. */
const monthsAhead = 2;

/**
 * Creates the monthly partitions of the audit log (only on PostgreSQL) and deletes expired rows
 * (docs/guide/operations.md).
 */
export class AuditPartitions {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Creates the partitions of the coming months. Does nothing on SQLite, which has no partitions. */
  async createUpcoming(now: number): Promise<void> {
    if (this.#db.dialect.name !== 'postgres') return;
    const known = await this.#partitions();
    const end = Math.max(...known.map(({ to }) => to));
    for (let ahead = 0; ahead <= monthsAhead; ahead++) {
      const month = monthOf(now, ahead);
      if (month.from < end) continue;
      // If the default partition `audit_rest` already holds rows of the month (written with a wrong clock), PostgreSQL
      // cannot create a partition for this month. Skip such a month; its rows stay in `audit_rest`.
      const stray = await this.#db.get(sql`SELECT 1 AS one FROM audit_rest WHERE at >= ${month.from}
        AND at < ${month.to} LIMIT 1`);
      if (stray) continue;
      const create = `CREATE TABLE IF NOT EXISTS ${month.name} PARTITION OF audit FOR VALUES FROM (${month.from}) TO (${month.to})`;
      await this.#db
        .write(null, { lock: 'the audit by months' }, (tx) => tx.execute(create))
        .catch((error: unknown) => {
          // Ignore the error if another node created the partition first.
          if (!(error instanceof UniqueViolation)) throw error;
        });
    }
  }

  /**
   * Deletes rows older than `time`. Partitions that contain only such rows are dropped as a whole. Returns the number
   * of deleted rows, without those of dropped partitions.
   */
  async deleteBefore(time: number): Promise<number> {
    if (this.#db.dialect.name === 'postgres') {
      for (const { name, to } of await this.#partitions())
        if (to <= time && name !== 'audit_first')
          await this.#db.write(
            null,
            {
              lock: 'the audit by months',
            },
            (tx) => tx.execute(`DROP TABLE IF EXISTS ${name}`),
          );
    }
    let deleted = 0;
    for (;;) {
      const rows = await this.#db.write(null, { isolation: 'repeatable read' }, (tx) =>
        tx.run(sql`DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ${time} LIMIT ${rowsAtOnce})
          AND at < ${time}`),
      );
      deleted += rows;
      if (rows < rowsAtOnce) return deleted;
    }
  }

  /**
   * Returns the monthly partitions of the audit log with the times at which they end. Leaves out `audit_rest`, which
   * holds the rows that fit into no month's partition.
   */
  async #partitions(): Promise<{ name: string; to: number }[]> {
    const rows = await this.#db.all<{ name: string; bound: string }>(
      `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'audit'::regclass`,
    );
    return rows.flatMap(({ name, bound }) => {
      const end = /TO \('?(\d+)'?\)$/.exec(bound)?.[1];
      return end === undefined ? [] : [{ name, to: Number(end) }];
    });
  }
}

function monthOf(now: number, ahead: number): { name: string; from: number; to: number } {
  const at = new Date(now);
  const from = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead);
  const to = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead + 1);
  const [year, month] = new Date(from).toISOString().split('-');
  return { name: `audit_${year}_${month}`, from, to };
}
