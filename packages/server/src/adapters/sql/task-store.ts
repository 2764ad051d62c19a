import type { Clock } from '../../ports/clock.ts';
import type { Stamp } from '../../ports/audit-stamp.ts';
import { maxTasks, type NewTask, type Task, type TaskCompletion, type TaskStore } from '../../ports/task-store.ts';
import type { Database, Sql } from './database.ts';
import { rowMapper, type Row } from './row.ts';
import { sql } from './statement.ts';
import { addStorage, refundStorage, type CountedRow } from './storage-usage.ts';

type TaskRow = Row<Omit<Task, 'isCancelRequested'>> & { cancel_requested: number };

const toTask = rowMapper<Task>()(
  'id, user_id, key_id, operation, state, message, outcome, lease_until, created_at, updated_at, expires_at',
  { isCancelRequested: (row: TaskRow) => row.cancel_requested !== 0 },
);

/** Thrown inside the transaction to roll it back if a user has too many tasks. */
class TooMany extends Error {}

type OwnedTask = Pick<Task, 'id' | 'userId'>;

export class SqlTaskStore implements TaskStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  async create(stamp: Stamp, task: NewTask): Promise<boolean> {
    try {
      await this.#create(stamp, task);
      return true;
    } catch (error) {
      if (error instanceof TooMany) return false;
      throw error;
    }
  }

  #create(stamp: Stamp, task: NewTask): Promise<void> {
    // Use the call's time (`stamp.at`) instead of reading the clock, because the caller computed the task's `expiresAt`
    // from it.
    const now = stamp.at;
    return this.#db.write(stamp, { lock: lockOf(stamp.userId), target: task.id }, async (tx) => {
      await refundStorage(
        tx,
        await tx.all<CountedRow>(sql`DELETE FROM call_task WHERE user_id = ${stamp.userId} AND expires_at < ${now}
          AND (state <> 'working' OR lease_until < ${now}) RETURNING user_id, bytes`),
      );
      const kept = await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM call_task WHERE user_id = ?', stamp.userId);
      if ((kept?.n ?? 0) >= maxTasks) throw new TooMany();
      await tx.execute(sql`INSERT INTO call_task (id, user_id, key_id, operation, state, message, outcome, bytes,
        cancel_requested, lease_until, created_at, updated_at, expires_at)
        VALUES (${task.id}, ${stamp.userId}, ${stamp.keyId}, ${task.operation}, 'working', ${task.message}, '', 0, 0,
        ${task.leaseUntil}, ${now}, ${now}, ${task.expiresAt})`);
    });
  }

  async get(id: string): Promise<Task | undefined> {
    const row = await this.#db.get<TaskRow>(sql`SELECT * FROM call_task WHERE id = ${id}`);
    return row && toTask(row);
  }

  async renewLease(
    id: string,
    message: string,
    leaseUntil: number,
  ): Promise<Pick<Task, 'isCancelRequested'> | undefined> {
    const now = this.now();
    const row = await this.#db.write(null, { isolation: 'repeatable read' }, (tx) =>
      tx.get<TaskRow>(sql`UPDATE call_task SET message = ${message}, lease_until = ${leaseUntil}, updated_at = ${now}
        WHERE id = ${id} AND state = 'working' RETURNING *`),
    );
    return row && toTask(row);
  }

  end(task: OwnedTask, end: TaskCompletion): Promise<boolean> {
    return this.#end(task, end, Number.MAX_SAFE_INTEGER);
  }

  endAbandoned(task: OwnedTask, end: TaskCompletion): Promise<boolean> {
    return this.#end(task, end, this.now());
  }

  /**
   * Ends a task that is still running and whose lease ends before the time `before`. Returns false if there is no such
   * task. The outcome is charged to the quota even if it exceeds the quota, because it already exists; later writes of
   * the user are then refused.
   */
  #end(
    { id, userId }: OwnedTask,
    { state, message, outcome, expiresAt }: TaskCompletion,
    before: number,
  ): Promise<boolean> {
    const bytes = Buffer.byteLength(outcome);
    const now = this.now();
    return this.#db.write(null, { lock: lockOf(userId) }, async (tx) => {
      const ended = await tx.run(sql`UPDATE call_task SET state = ${state}, message = ${message}, outcome = ${outcome},
        bytes = ${bytes}, updated_at = ${now}, expires_at = ${expiresAt} WHERE id = ${id} AND state = 'working'
        AND lease_until < ${before}`);
      if (ended === 0) return false;
      await addStorage(tx, userId, bytes, Number.MAX_SAFE_INTEGER);
      return true;
    });
  }

  async requestCancel(stamp: Stamp, id: string): Promise<boolean> {
    const request = "UPDATE call_task SET cancel_requested = 1 WHERE id = ? AND state = 'working'";
    return (await this.#db.write(stamp, { target: id, isolation: 'repeatable read' }, (tx) => tx.run(request, id))) > 0;
  }

  async deleteExpired(): Promise<number> {
    const now = this.now();
    const isAny = await this.#db.get(sql`SELECT 1 AS found FROM call_task WHERE expires_at < ${now} LIMIT 1`);
    if (!isAny) return 0;
    return this.#db.write(null, async (tx) => {
      const gone = await tx.all<CountedRow>(sql`DELETE FROM call_task WHERE expires_at < ${now}
        AND (state <> 'working' OR lease_until < ${now}) RETURNING user_id, bytes`);
      await refundStorage(tx, gone);
      return gone.length;
    });
  }
}

/**
 * Deletes the tasks of a deleted account. A node that still runs one of them stops it when it finds the task's row
 * gone.
 */
export async function deleteTasksOf(tx: Sql, userId: string): Promise<void> {
  await refundStorage(
    tx,
    await tx.all<CountedRow>(sql`DELETE FROM call_task WHERE user_id = ${userId} RETURNING user_id, bytes`),
  );
}

function lockOf(userId: string): string {
  return `tasks:${userId}`;
}
