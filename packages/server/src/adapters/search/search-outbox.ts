import { newId } from '../../lib/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database } from '../sql/database.ts';
import { raw, sql, type Statement } from '../sql/statement.ts';
import { indexedLater } from '../sql/queue-for-index.ts';

export type OutboxTable = 'search_outbox' | 'search_vector_outbox';

export interface OutboxOptions {
  database: Database;
  table: OutboxTable;
  clock: Clock;
  leaseMs: number;
  /** Delay in milliseconds before a failed entry is retried. */
  backoffMs: number;
}

export interface OutboxChange {
  seq: number;
  space: string;
  id: string;
  /**
   * 1 if the change is a new text of a wiki item (queued by `queueTextForIndex`), which becomes ready once it is
   * indexed. 0 for all other changes.
   */
  is_text: number;
}

/** Changes in the search outbox that this node has claimed in order to index them. */
export interface ChangeBatch {
  readonly claim: string;
  /** Time at which the lease expires. Other nodes may then claim the changes. */
  until: number;
  readonly changes: readonly OutboxChange[];
  /**
   * Incarnation number of the database at the time of the claim. The number changes when the database is replaced; the
   * loaded entries may then no longer exist.
   */
  readonly incarnation: number;
  /**
   * True if some changes were skipped because another node is indexing the same entries. The skipped changes become due
   * again shortly.
   */
  readonly hasLeft: boolean;
}

/** A user whose search waits until the user's changes in a space (a kind of entries, such as notes) are indexed. */
export interface WaitingUser {
  readonly space: string;
  readonly userId: string;
}

/** Values of the column `claim` for changes that no node holds: not claimed, or failed and waiting for a retry. */
const unclaimed = '';
const failed = 'failed';

/**
 * Queue of changes that are not in the search index yet. A node claims a change for a limited time (a lease) and
 * deletes it once it is indexed. If the node crashes, the lease expires and any node can claim the change. Two nodes
 * never hold changes of the same entry.
 */
export class SearchOutbox {
  readonly #options: OutboxOptions;
  readonly #db: Database;
  readonly #table: Statement;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#db = options.database;
    this.#table = raw(options.table);
  }

  /**
   * On SQLite, releases all claims and makes failed and delayed changes due. Does nothing on PostgreSQL. Called when
   * indexing starts: only one process uses a SQLite database, so claims that exist at that time belong to a crashed
   * process.
   */
  async releaseAllClaims(): Promise<void> {
    if (this.#db.dialect.name !== 'sqlite') return;
    await this.#execute(sql`UPDATE ${this.#table} SET claim = '', lease_until = 0 WHERE claim <> '' RETURNING seq`);
  }

  /**
   * Claims the oldest due changes. If `waiting` is given and that user has due changes, claims only the user's. Skips
   * changes of entries that another node is indexing. Does not skip entries of this node's previous claim `own`,
   * because a node writes its claims in order.
   */
  async claim(limit: number, own = unclaimed, waiting?: WaitingUser): Promise<ChangeBatch | undefined> {
    const { clock, leaseMs } = this.#options;
    const now = clock.now();
    const incarnation = this.#db.incarnation.number;
    const due = await this.#db.get(sql`SELECT 1 AS found FROM ${this.#table} WHERE lease_until < ${now} LIMIT 1`);
    if (!due) return undefined;
    const claim = newId('claim');
    const take = (which: Statement): Promise<OutboxChange[]> =>
      this.#execute<OutboxChange>(sql`UPDATE ${this.#table} SET claim = ${claim}, lease_until = ${now + leaseMs}
        WHERE seq IN (SELECT seq FROM ${this.#table} WHERE ${which} lease_until < ${now}
          ORDER BY seq LIMIT ${limit} ${raw(this.#db.dialect.skipLocked)})
        RETURNING seq, space, id, is_text`);
    let claimed = waiting ? await take(sql`space = ${waiting.space} AND user_id = ${waiting.userId} AND`) : [];
    if (claimed.length === 0) claimed = await take(raw(''));
    if (claimed.length === 0) return undefined;
    const elsewhere = await this.#db.all<{ seq: number }>(sql`SELECT DISTINCT mine.seq FROM ${this.#table} mine
      JOIN ${this.#table} other ON other.space = mine.space AND other.id = mine.id AND other.claim <> mine.claim
      AND other.claim NOT IN (${unclaimed}, ${failed}, ${indexedLater}, ${own}) AND other.lease_until >= ${now}
      WHERE mine.claim = ${claim}`);
    // Release the changes whose entries another node is indexing, and make them due again shortly.
    const busy = new Set(elsewhere.map((row) => row.seq));
    for (const change of claimed.filter(({ seq }) => busy.has(seq)))
      await this.#releaseAll({ claim, changes: [change] }, unclaimed, now + 20 + Math.floor(Math.random() * 100));
    const changes = claimed.filter((change) => !busy.has(change.seq)).sort((one, other) => one.seq - other.seq);
    return { claim, until: now + leaseMs, changes, incarnation, hasLeft: busy.size > 0 };
  }

  /**
   * Returns false if the lease may have expired. Extends the lease if half of its time has passed. Called before a
   * chunk is written to the index.
   */
  async renewLease(batch: ChangeBatch): Promise<boolean> {
    const { clock, leaseMs } = this.#options;
    const now = clock.now();
    if (now <= batch.until - leaseMs / 2) return true;
    if (now > batch.until) return false;
    const kept = await this.#execute<{ seq: number }>(sql`UPDATE ${this.#table} SET lease_until = ${now + leaseMs}
      WHERE claim = ${batch.claim} RETURNING seq`);
    if (kept.length > 0) batch.until = now + leaseMs;
    return kept.length > 0;
  }

  /** Deletes changes after they were indexed. They must be consecutive changes of the batch and belong to one space. */
  async delete({ claim }: ChangeBatch, changes: readonly OutboxChange[]): Promise<void> {
    const [first, last] = [changes.at(0), changes.at(-1)];
    if (!first || !last) return;
    await this.#execute(sql`DELETE FROM ${this.#table} WHERE seq BETWEEN ${first.seq} AND ${last.seq}
      AND claim = ${claim} AND space = ${first.space} RETURNING seq`);
  }

  /** Releases the remaining changes of the batch, so that any node can claim them at once. */
  release(batch: ChangeBatch): Promise<void> {
    return this.#releaseAll(batch, unclaimed, 0);
  }

  /** Releases the remaining changes of the batch and schedules them for a later retry. */
  postpone(batch: ChangeBatch): Promise<void> {
    return this.#releaseAll(batch, failed, this.#options.clock.now() + this.#options.backoffMs);
  }

  postponeOne({ claim }: ChangeBatch, change: OutboxChange): Promise<void> {
    return this.#releaseAll({ claim, changes: [change] }, failed, this.#options.clock.now() + this.#options.backoffMs);
  }

  /**
   * Returns whether there are changes that can be indexed now. Failed and delayed changes count only once they are due.
   */
  async hasOpen(): Promise<boolean> {
    const open = await this.#db.get(sql`SELECT 1 AS found FROM ${this.#table}
      WHERE claim NOT IN (${failed}, ${indexedLater}) OR lease_until < ${this.#options.clock.now()} LIMIT 1`);
    return open !== undefined;
  }

  /** Returns whether the outbox has changes in at least one of two spaces (kinds of entries, such as notes). */
  async hasAnyIn(space: string, other: string): Promise<boolean> {
    const left = await this.#db.get(sql`SELECT 1 AS found FROM ${this.#table} WHERE space IN (${space}, ${other})
      LIMIT 1`);
    return left !== undefined;
  }

  /** Makes delayed changes due now. If `of` is given, only the changes of one user in one space. */
  async makeDue(of?: WaitingUser): Promise<void> {
    const which = of ? sql`later.space = ${of.space} AND later.user_id = ${of.userId} AND` : raw('');
    const list = sql`FROM ${this.#table} later WHERE ${which} later.claim = ${indexedLater} AND NOT EXISTS
      (SELECT 1 FROM ${this.#table} due WHERE due.space = later.space AND due.id = later.id AND due.claim = ${unclaimed}
         AND (due.user_id = later.user_id OR due.user_id IS NULL))`;
    // Insert for each delayed row a copy that is due now. Keep the delayed rows, because they also cover changes made
    // until they become due.
    if (!(await this.#db.get(sql`SELECT 1 AS found ${list} LIMIT 1`))) return;
    await this.#execute(sql`INSERT INTO ${this.#table} (space, id, user_id)
      SELECT DISTINCT later.space, later.id, later.user_id ${list} RETURNING seq`);
  }

  /**
   * Returns the sequence number in the outbox of the newest change in a space, and the number of changes, counted up
   * to `most`. Failed and delayed changes are ignored.
   */
  async newestIn(space: string, most: number): Promise<{ last: number | null; n: number }> {
    const newest = await this.#db.get<{ last: number | null; n: number }>(sql`SELECT MAX(seq) AS last, COUNT(*) AS n
      FROM (SELECT seq FROM ${this.#table} WHERE space = ${space} AND claim NOT IN (${failed}, ${indexedLater})
      ORDER BY seq DESC LIMIT ${most}) AS newest`);
    return newest ?? { last: null, n: 0 };
  }

  /**
   * Returns the sequence number in the outbox of a user's newest change in a space, and whether one of the user's
   * changes failed. Changes without a known user count as changes of every user.
   */
  async newestOf({ space, userId }: WaitingUser): Promise<{ last: number | null; hasFailed: boolean }> {
    const newest = await this.#db.get<{ last: number | null; failures: number }>(sql`SELECT MAX(CASE WHEN claim =
      ${failed} THEN NULL ELSE seq END) AS last, COUNT(CASE WHEN claim = ${failed} THEN 1 END) AS failures
      FROM ${this.#table} WHERE space = ${space} AND (user_id = ${userId} OR user_id IS NULL)
      AND claim <> ${indexedLater}`);
    return { last: newest?.last ?? null, hasFailed: (newest?.failures ?? 0) > 0 };
  }

  /**
   * Returns whether the outbox still has changes up to number `seq` in the space (a kind of entries, such as notes). If
   * `userId` is given, only changes of that user and changes without a known user count. Failed and delayed changes are
   * ignored.
   */
  async hasUpTo(space: string, seq: number, userId?: string): Promise<boolean> {
    const whose = userId === undefined ? raw('') : sql`(user_id = ${userId} OR user_id IS NULL) AND`;
    const open = await this.#db.get(sql`SELECT 1 AS found FROM ${this.#table} WHERE space = ${space} AND ${whose}
      seq <= ${seq} AND claim NOT IN (${failed}, ${indexedLater}) LIMIT 1`);
    return open !== undefined;
  }

  async #releaseAll(
    { claim, changes }: Pick<ChangeBatch, 'claim' | 'changes'>,
    to: string,
    until: number,
  ): Promise<void> {
    const [first, last] = [changes.at(0), changes.at(-1)];
    if (!first || !last) return;
    await this.#execute(sql`UPDATE ${this.#table} SET claim = ${to}, lease_until = ${until}
      WHERE seq BETWEEN ${first.seq} AND ${last.seq} AND claim = ${claim} RETURNING seq`);
  }

  /**
   * Runs one statement that writes and returns rows. On PostgreSQL it is not part of a serializable transaction, so
   * that it does not conflict with the stores' transactions, which only insert into the outbox.
   */
  #execute<Row>(statement: Statement): Promise<Row[]> {
    if (this.#db.dialect.name === 'postgres') return this.#db.all<Row>(statement);
    return this.#db.write(null, (tx) => tx.all<Row>(statement));
  }
}
