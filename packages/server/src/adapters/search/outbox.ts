import { newId } from '../../lib/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Param } from '../sql/database.ts';
import { indexedLater } from '../sql/search-outbox.ts';

export type OutboxTable = 'search_outbox' | 'search_vector_outbox';

export interface OutboxOptions {
  database: Database;
  table: OutboxTable;
  clock: Clock;
  leaseMs: number;
  /** How long an entry that failed waits. */
  backoffMs: number;
}

export interface Change {
  seq: number;
  space: string;
  id: string;
  /** An item is ready once it is indexed (`noteText`). */
  is_text: number;
}

/** Changes that this node has in hand. */
export interface Batch {
  readonly claim: string;
  /** When others may take them up. */
  until: number;
  readonly changes: readonly Change[];
  /** The database's, when they were claimed: what is loaded for them may be gone in another one. */
  readonly incarnation: number;
  /** Some were left, because another node has the same things in hand: they are due in a moment. */
  readonly hasLeft: boolean;
}

/** Whose changes somebody waits for. */
export interface Waiting {
  readonly space: string;
  readonly userId: string;
}

/** What stands in `claim` when no node has the change in hand: nothing yet, or a failure that waits. */
const unclaimed = '';
const failed = 'failed';

/**
 * The list of changes that are not indexed yet. A change is claimed for a while and forgotten once it is indexed; after a
 * crash the claim runs out and any node takes it up. Two nodes never have the same thing in hand.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #db: Database;
  readonly #table: OutboxTable;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#db = options.database;
    this.#table = options.table;
  }

  /** At the start: one process owns an embedded database, so every claim there is of an earlier one that crashed. */
  async endClaims(): Promise<void> {
    if (this.#db.dialect.name !== 'sqlite') return;
    await this.#execute(`UPDATE ${this.#table} SET claim = '', lease_until = 0 WHERE claim <> '' RETURNING seq`);
  }

  /**
   * The oldest changes that are due, of a user who waits for theirs first. `own` is a claim of this node, which takes up its
   * things again in their order.
   */
  async claim(limit: number, own = unclaimed, waiting?: Waiting): Promise<Batch | undefined> {
    const { clock, leaseMs } = this.#options;
    const now = clock.now();
    const incarnation = this.#db.incarnation.number;
    const due = await this.#db.get(`SELECT 1 AS found FROM ${this.#table} WHERE lease_until < ? LIMIT 1`, now);
    if (!due) return undefined;
    const claim = newId('claim');
    const take = (which: string, ...params: Param[]): Promise<Change[]> =>
      this.#execute<Change>(
        `UPDATE ${this.#table} SET claim = ?, lease_until = ? WHERE seq IN
           (SELECT seq FROM ${this.#table} WHERE ${which} lease_until < ? ORDER BY seq LIMIT ? ${this.#db.dialect.skipLocked})
         RETURNING seq, space, id, is_text`,
        claim,
        now + leaseMs,
        ...params,
        now,
        limit,
      );
    let claimed = waiting ? await take('space = ? AND user_id = ? AND', waiting.space, waiting.userId) : [];
    if (claimed.length === 0) claimed = await take('');
    if (claimed.length === 0) return undefined;
    const elsewhere = await this.#db.all<{ seq: number }>(
      `SELECT DISTINCT mine.seq FROM ${this.#table} mine JOIN ${this.#table} other
         ON other.space = mine.space AND other.id = mine.id AND other.claim <> mine.claim AND other.claim NOT IN (?, ?, ?, ?) AND other.lease_until >= ?
       WHERE mine.claim = ?`,
      unclaimed,
      failed,
      indexedLater,
      own,
      now,
      claim,
    );
    // Another node has the same thing in hand: it is left for later, when that node is done with it.
    const busy = new Set(elsewhere.map((row) => row.seq));
    for (const seq of busy) await this.#release(claim, seq, unclaimed, now + 20 + Math.floor(Math.random() * 100));
    const changes = claimed.filter((change) => !busy.has(change.seq)).sort((one, other) => one.seq - other.seq);
    return { claim, until: now + leaseMs, changes, incarnation, hasLeft: busy.size > 0 };
  }

  /** Before something is written: false where others may have taken it up. What takes long is kept for longer. */
  async keep(batch: Batch): Promise<boolean> {
    const { clock, leaseMs } = this.#options;
    const now = clock.now();
    if (now <= batch.until - leaseMs / 2) return true;
    if (now > batch.until) return false;
    const kept = await this.#execute<{ seq: number }>(
      `UPDATE ${this.#table} SET lease_until = ? WHERE claim = ? RETURNING seq`,
      now + leaseMs,
      batch.claim,
    );
    if (kept.length > 0) batch.until = now + leaseMs;
    return kept.length > 0;
  }

  /** They are indexed, all of one space and none left out between them. */
  async forget({ claim }: Batch, changes: readonly Change[]): Promise<void> {
    const [first, last] = [changes.at(0), changes.at(-1)];
    if (!first || !last) return;
    await this.#execute(
      `DELETE FROM ${this.#table} WHERE seq BETWEEN ? AND ? AND claim = ? AND space = ? RETURNING seq`,
      first.seq,
      last.seq,
      claim,
      first.space,
    );
  }

  /** What is left of the batch is whoever's is first, at once. */
  giveBack(batch: Batch): Promise<void> {
    return this.#releaseAll(batch, unclaimed, 0);
  }

  /** What is left of the batch is tried again later. */
  postpone(batch: Batch): Promise<void> {
    return this.#releaseAll(batch, failed, this.#options.clock.now() + this.#options.backoffMs);
  }

  postponeOne({ claim }: Batch, { seq }: Change): Promise<void> {
    return this.#release(claim, seq, failed, this.#options.clock.now() + this.#options.backoffMs);
  }

  /** Whether anything is left that does not wait after a failure. */
  async hasOpen(): Promise<boolean> {
    const open = await this.#db.get(
      `SELECT 1 AS found FROM ${this.#table} WHERE claim NOT IN (?, ?) OR lease_until < ? LIMIT 1`,
      failed,
      indexedLater,
      this.#options.clock.now(),
    );
    return open !== undefined;
  }

  /** Whether anything in these spaces is left. */
  async hasAnyIn(space: string, other: string): Promise<boolean> {
    const left = await this.#db.get(
      `SELECT 1 AS found FROM ${this.#table} WHERE space IN (?, ?) LIMIT 1`,
      space,
      other,
    );
    return left !== undefined;
  }

  /** What would be indexed after a while is listed to be indexed now: in one space that of one user, or all there is. */
  async hasten(of?: Waiting): Promise<void> {
    const which = of ? 'later.space = ? AND later.user_id = ? AND' : '';
    const params = of ? [of.space, of.userId] : [];
    const list = `FROM ${this.#table} later WHERE ${which} later.claim = ? AND NOT EXISTS
      (SELECT 1 FROM ${this.#table} due WHERE due.space = later.space AND due.id = later.id AND due.claim = ?
         AND (due.user_id = later.user_id OR due.user_id IS NULL))`;
    // The row itself stays until its time: it stands for what changes until then, too.
    if (!(await this.#db.get(`SELECT 1 AS found ${list} LIMIT 1`, ...params, indexedLater, unclaimed))) return;
    await this.#execute(
      `INSERT INTO ${this.#table} (space, id, user_id) SELECT DISTINCT later.space, later.id, later.user_id ${list} RETURNING seq`,
      ...params,
      indexedLater,
      unclaimed,
    );
  }

  /** The newest change of a space, and how many there are, counted up to `most`; failures aside. */
  async newestIn(space: string, most: number): Promise<{ last: number | null; n: number }> {
    const newest = await this.#db.get<{ last: number | null; n: number }>(
      `SELECT MAX(seq) AS last, COUNT(*) AS n FROM
         (SELECT seq FROM ${this.#table} WHERE space = ? AND claim NOT IN (?, ?) ORDER BY seq DESC LIMIT ?) AS newest`,
      space,
      failed,
      indexedLater,
      most,
    );
    return newest ?? { last: null, n: 0 };
  }

  /** The newest change of a user in a space, and whether one of theirs failed and waits; what nobody is known to have changed is everybody's. */
  async newestOf({ space, userId }: Waiting): Promise<{ last: number | null; hasFailed: boolean }> {
    const newest = await this.#db.get<{ last: number | null; failures: number }>(
      `SELECT MAX(CASE WHEN claim = ? THEN NULL ELSE seq END) AS last, COUNT(CASE WHEN claim = ? THEN 1 END) AS failures
       FROM ${this.#table} WHERE space = ? AND (user_id = ? OR user_id IS NULL) AND claim <> ?`,
      failed,
      failed,
      space,
      userId,
      indexedLater,
    );
    return { last: newest?.last ?? null, hasFailed: (newest?.failures ?? 0) > 0 };
  }

  /** Whether a change of the space is left that is no newer than this one, failures aside; of one user, or of anybody. */
  async hasUpTo(space: string, seq: number, userId?: string): Promise<boolean> {
    const whose = userId === undefined ? '' : '(user_id = ? OR user_id IS NULL) AND';
    const open = await this.#db.get(
      `SELECT 1 AS found FROM ${this.#table} WHERE space = ? AND ${whose} seq <= ? AND claim NOT IN (?, ?) LIMIT 1`,
      space,
      ...(userId === undefined ? [] : [userId]),
      seq,
      failed,
      indexedLater,
    );
    return open !== undefined;
  }

  async #releaseAll({ claim, changes }: Batch, to: string, until: number): Promise<void> {
    const [first, last] = [changes.at(0), changes.at(-1)];
    if (!first || !last) return;
    await this.#execute(
      `UPDATE ${this.#table} SET claim = ?, lease_until = ? WHERE seq BETWEEN ? AND ? AND claim = ? RETURNING seq`,
      to,
      until,
      first.seq,
      last.seq,
      claim,
    );
  }

  async #release(claim: string, seq: number, to: string, until: number): Promise<void> {
    await this.#execute(
      `UPDATE ${this.#table} SET claim = ?, lease_until = ? WHERE seq = ? AND claim = ? RETURNING seq`,
      to,
      until,
      seq,
      claim,
    );
  }

  /**
   * One statement that writes and returns rows. On PostgreSQL it runs by itself, outside of the serializable
   * transactions: those of the stores only ever insert here, and must not be held up.
   */
  #execute<Row>(sql: string, ...params: Param[]): Promise<Row[]> {
    if (this.#db.dialect.name === 'postgres') return this.#db.all<Row>(sql, ...params);
    return this.#db.write(null, (tx) => tx.all<Row>(sql, ...params));
  }
}
