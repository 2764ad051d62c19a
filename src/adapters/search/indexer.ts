import { setTimeout as sleep } from 'node:timers/promises';
import { every, inBackground, later } from '../../lib/background.ts';
import { newId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../ports/clock.ts';
import { IndexTakenOver, type SearchEntry, type SearchIndex } from '../../ports/search-index.ts';
import type { Database, Param } from '../sql/database.ts';
import { noteChange } from '../sql/search-outbox.ts';
import { Unavailable } from '../../ports/unavailable.ts';

/** Gives the present state of the ids; an id it leaves out is no longer there. */
export type Loader = (ids: string[]) => Promise<SearchEntry[]>;

/** What changes are carried to. */
export type IndexTarget = Pick<SearchIndex, 'put' | 'remove' | 'clear' | 'needsRebuild' | 'takeRebuild' | 'rebuilt'>;

export interface IndexerOptions {
  database: Database;
  index: IndexTarget;
  /** The table that lists the changes. */
  outbox?: 'search_outbox' | 'search_vector_outbox';
  /** Told what is indexed now, before it is taken off the list: it hears of everything at least once. */
  onIndexed?: (space: string, ids: readonly string[]) => Promise<void>;
  loaders: Readonly<Record<string, Loader>>;
  /** For a space, those whose changes list further ones in it once they are loaded. */
  follows?: Readonly<Record<string, string>>;
  clock: Clock;
  log: Log;
  batchSize?: number;
  /** How often the outbox is looked at without being poked: for what a crashed node left. */
  pollMs?: number;
  leaseMs?: number;
  /** How long an entry that failed waits. */
  backoffMs?: number;
  /** How long changes gather after the first ones were indexed: in a stream of them each batch costs about the same. */
  gatherMs?: number;
}

/** What stands in `claim` when no node has the change in hand: nothing yet, or a failure that waits. */
const unclaimed = '';
const failed = 'failed';
/** So many changes are not indexed in the moment that a search waits. */
const tooMany = 1500;
/** How often a node that waits for another's rebuild looks. */
const elsewhereMs = 500;

interface Change {
  seq: number;
  space: string;
  id: string;
}

interface Batch {
  claim: string;
  until: number;
  changes: Change[];
}

/**
 * Carries changes from the outbox to the search index: at least once, the latest state last. A change is claimed, its
 * thing loaded and indexed, then forgotten; after a crash the claim runs out and any node does it again. Two nodes
 * never index one thing at the same time, so that an older state cannot come after a newer one.
 */
export class Indexer {
  readonly #options: Required<IndexerOptions>;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** How many wait for everything to be indexed: for them nothing is gathered. */
  #hurried = 0;
  #endPause: () => void = () => undefined;

  constructor(options: IndexerOptions) {
    this.#options = {
      outbox: 'search_outbox',
      onIndexed: () => Promise.resolve(),
      batchSize: 200,
      pollMs: 5000,
      leaseMs: 60_000,
      backoffMs: 10_000,
      gatherMs: 40,
      follows: {},
      ...options,
    };
  }

  async start(): Promise<void> {
    if (this.#stopped) return;
    if (this.#options.database.dialect.name === 'sqlite') {
      // One process owns the file, so every claim is of an earlier one that crashed.
      await this.#execute(
        `UPDATE ${this.#options.outbox} SET claim = '', lease_until = 0 WHERE claim <> '' RETURNING seq`,
      );
    }
    this.#timer ??= every('looking at the search outbox', this.#options.pollMs, () => this.poke()).unref();
    this.poke();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endPause();
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Something was written to the outbox; returns at once. */
  poke(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= inBackground('indexing', () => this.#drain()).finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when all that was written before is indexed, by this node or another; what waits after a failure is left out. */
  async drained(): Promise<void> {
    this.#hurried += 1;
    this.#endPause();
    try {
      for (;;) {
        this.poke();
        await this.#running;
        const open = await this.#options.database.get(
          `SELECT 1 AS found FROM ${this.#options.outbox} WHERE claim <> ? OR lease_until < ? LIMIT 1`,
          failed,
          this.#options.clock.now(),
        );
        if (!open || this.#stopped) return;
        await sleep(5);
      }
    } finally {
      this.#hurried -= 1;
    }
  }

  /**
   * Whether all that was written to the space before is indexed, by this node or another, at the deadline at the latest.
   * Where more is waiting than can be done by then, nobody waits.
   */
  async caughtUp(space: string, deadline: number): Promise<boolean> {
    const { database, index, follows } = this.#options;
    if (index.needsRebuild) return false;
    const before = follows[space];
    const any = await database.get(
      'SELECT 1 AS found FROM search_outbox WHERE space IN (?, ?) AND claim <> ? LIMIT 1',
      space,
      before ?? space,
      failed,
    );
    if (!any) return true;
    if (before !== undefined && !(await this.#indexed(before, deadline))) return false;
    return this.#indexed(space, deadline);
  }

  async #indexed(space: string, deadline: number): Promise<boolean> {
    const { database } = this.#options;
    const waiting = await database.get<{ last: number | null; n: number }>(
      `SELECT MAX(seq) AS last, COUNT(*) AS n FROM
         (SELECT seq FROM ${this.#options.outbox} WHERE space = ? AND claim <> ? ORDER BY seq DESC LIMIT ?) AS newest`,
      space,
      failed,
      tooMany,
    );
    if (!waiting?.last) return true;
    if (waiting.n >= tooMany) return false;
    this.#hurried += 1;
    try {
      while (Date.now() < deadline && !this.#stopped) {
        this.#endPause();
        this.poke();
        await sleep(5);
        const open = await database.get(
          `SELECT 1 AS found FROM ${this.#options.outbox} WHERE space = ? AND seq <= ? AND claim <> ? LIMIT 1`,
          space,
          waiting.last,
          failed,
        );
        if (!open) return true;
      }
      return false;
    } finally {
      this.#hurried -= 1;
    }
  }

  /** Empties a space and lists everything in it as changed. */
  async rebuild(space: string, allIds: Iterable<string> | AsyncIterable<string>): Promise<number> {
    const { database, index } = this.#options;
    await index.clear(space);
    let count = 0;
    let chunk: string[] = [];
    const list = async (): Promise<void> => {
      const ids = chunk;
      chunk = [];
      count += ids.length;
      await database.write(null, async (tx) => {
        for (const id of ids) await noteChange(tx, space, id);
      });
      if (index.needsRebuild) await index.takeRebuild();
      this.poke();
    };
    for await (const id of allIds) {
      if (this.#stopped) return count;
      chunk.push(id);
      if (chunk.length >= this.#options.batchSize) await list();
    }
    if (chunk.length > 0) await list();
    return count;
  }

  /** Rebuilds all spaces when the index is new, was damaged or is of an older format. */
  async rebuildIfNeeded(
    sources: Readonly<Record<string, () => Iterable<string> | AsyncIterable<string>>>,
  ): Promise<boolean> {
    const { index } = this.#options;
    if (!index.needsRebuild) return false;
    for (let turn = await index.takeRebuild(); turn !== 'mine'; turn = await index.takeRebuild()) {
      if (turn === 'done' || this.#stopped) return false;
      await sleep(elsewhereMs, undefined, { ref: false });
    }
    for (const [space, allIds] of Object.entries(sources)) {
      const count = await this.rebuild(space, allIds());
      if (count > 0) this.#options.log.info({ space, count }, 'rebuilding the search index');
    }
    if (this.#stopped) return false;
    // The outbox is durable: from here on a crash loses nothing.
    await index.rebuilt();
    return true;
  }

  async #drain(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        for (let done = 1; done > 0 && !this.#stopped;) {
          done = await this.#next();
          if (done > 0 && done < this.#options.batchSize) await this.#pause();
        }
      } catch (error) {
        this.#options.log.error({ err: error }, 'the search outbox could not be read; trying again later');
      }
    }
  }

  async #pause(): Promise<void> {
    if (this.#hurried > 0 || this.#stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.gatherMs).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Does one batch; how many changes it had, 0 when there is nothing to do. */
  async #next(): Promise<number> {
    const batch = await this.#claim();
    if (!batch) return 0;
    try {
      await this.#index(batch, batch.changes);
      await this.#forget(batch);
    } catch (error) {
      if (this.#stopped) return 0;
      if (error instanceof IndexTakenOver) {
        this.#options.log.warn({ err: error }, 'this node no longer indexes: nodes of a newer version do');
        await this.#giveUp(batch);
        return 0;
      }
      if (error instanceof Unavailable) {
        // It is nobody's fault but the moment's: all of them wait, and what else is waiting is not tried now.
        this.#options.log.warn({ err: error, entries: batch.changes.length }, 'indexing waits');
        await this.#postpone(batch);
        return 0;
      }
      this.#options.log.warn(
        { err: error, entries: batch.changes.length },
        'a batch could not be indexed; trying its entries one by one',
      );
      await this.#oneByOne(batch);
    }
    return Math.max(1, batch.changes.length);
  }

  async #claim(): Promise<Batch | undefined> {
    const { database, clock, batchSize, leaseMs } = this.#options;
    const now = clock.now();
    const due = await database.get(`SELECT 1 AS found FROM ${this.#options.outbox} WHERE lease_until < ? LIMIT 1`, now);
    if (!due) return undefined;
    const claim = newId('claim');
    const until = now + leaseMs;
    const claimed = await this.#execute<Change>(
      `UPDATE ${this.#options.outbox} SET claim = ?, lease_until = ? WHERE seq IN
         (SELECT seq FROM ${this.#options.outbox} WHERE lease_until < ? ORDER BY seq LIMIT ? ${database.dialect.skipLocked})
       RETURNING seq, space, id`,
      claim,
      until,
      now,
      batchSize,
    );
    if (claimed.length === 0) return undefined;
    const elsewhere = await database.all<{ seq: number }>(
      `SELECT DISTINCT mine.seq FROM ${this.#options.outbox} mine JOIN ${this.#options.outbox} other
         ON other.space = mine.space AND other.id = mine.id AND other.claim <> mine.claim AND other.claim NOT IN (?, ?) AND other.lease_until >= ?
       WHERE mine.claim = ?`,
      unclaimed,
      failed,
      now,
      claim,
    );
    // Another node has the same thing in hand: it is left for later, when that node is done with it.
    const busy = new Set(elsewhere.map((row) => row.seq));
    for (const seq of busy) await this.#release(claim, seq, unclaimed, now + 20 + Math.floor(Math.random() * 100));
    if (busy.size > 0) later('looking at the search outbox', 150, () => this.poke()).unref();
    return { claim, until, changes: claimed.filter((change) => !busy.has(change.seq)) };
  }

  async #index(batch: Batch, changes: readonly Change[]): Promise<void> {
    const { loaders, index, clock, leaseMs } = this.#options;
    const spaces = new Map<string, Set<string>>();
    for (const { space, id } of changes) {
      const ids = spaces.get(space) ?? new Set();
      spaces.set(space, ids.add(id));
    }
    for (const [space, ids] of spaces) {
      const loader = loaders[space];
      if (!loader) throw new Error(`the search outbox names the space ${JSON.stringify(space)}, which has no loader`);
      const entries = await loader([...ids]);
      if (clock.now() > batch.until - leaseMs / 2)
        throw new Error('loading took so long that another node may have taken over');
      await index.put(entries);
      for (const entry of entries) ids.delete(entry.id);
      await index.remove(space, [...ids]);
      await this.#options.onIndexed(space, [
        ...new Set(changes.filter((one) => one.space === space).map((one) => one.id)),
      ]);
    }
  }

  /** Leaves everything to other nodes, at once. */
  async #giveUp(batch: Batch): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const { seq } of batch.changes) await this.#release(batch.claim, seq, unclaimed, 0);
  }

  async #postpone(batch: Batch): Promise<void> {
    const { clock, backoffMs } = this.#options;
    for (const { seq } of batch.changes) await this.#release(batch.claim, seq, failed, clock.now() + backoffMs);
  }

  /** So that one bad entry does not keep the others out. */
  async #oneByOne(batch: Batch): Promise<void> {
    const { clock, backoffMs, log } = this.#options;
    for (const change of batch.changes) {
      try {
        await this.#index(batch, [change]);
        await this.#execute(
          `DELETE FROM ${this.#options.outbox} WHERE seq = ? AND claim = ? RETURNING seq`,
          change.seq,
          batch.claim,
        );
      } catch (error) {
        log.error({ err: error, space: change.space, id: change.id }, 'could not be indexed; trying again later');
        await this.#release(batch.claim, change.seq, failed, clock.now() + backoffMs);
      }
    }
  }

  async #forget(batch: Batch): Promise<void> {
    const seqs = batch.changes.map((change) => change.seq);
    if (seqs.length === 0) return;
    await this.#execute(
      `DELETE FROM ${this.#options.outbox} WHERE seq BETWEEN ? AND ? AND claim = ? RETURNING seq`,
      Math.min(...seqs),
      Math.max(...seqs),
      batch.claim,
    );
  }

  async #release(claim: string, seq: number, to: string, until: number): Promise<void> {
    await this.#execute(
      `UPDATE ${this.#options.outbox} SET claim = ?, lease_until = ? WHERE seq = ? AND claim = ? RETURNING seq`,
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
    const { database } = this.#options;
    if (database.dialect.name === 'postgres') return database.all<Row>(sql, ...params);
    return database.write(null, (tx) => tx.all<Row>(sql, ...params));
  }
}
