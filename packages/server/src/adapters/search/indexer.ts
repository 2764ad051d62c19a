import { setTimeout as sleep } from 'node:timers/promises';
import { runEvery, runInBackground, runDelayed } from '../../lib/background-tasks.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../ports/clock.ts';
import { IndexTakenOver, type SearchIndex } from '../../ports/search-index.ts';
import { Unavailable } from '../../ports/availability-errors.ts';
import type { Database } from '../sql/database.ts';
import { loadChunk, loadChunks, type EntryLoader, type LoadedChunk } from './load-batch.ts';
import {
  SearchOutbox,
  type ChangeBatch,
  type OutboxChange,
  type OutboxTable,
  type WaitingUser,
} from './search-outbox.ts';
import { rebuildIfNeeded, type AllIds } from './rebuild.ts';

/** The methods of the search index that the indexer uses. */
export type IndexTarget = Pick<SearchIndex, 'put' | 'remove' | 'clear' | 'needsRebuild' | 'takeRebuild' | 'rebuilt'>;

export interface IndexerOptions {
  database: Database;
  index: IndexTarget;
  /** Database table with the queue of changes to be indexed. Default: `search_outbox`. */
  outbox?: OutboxTable;
  /**
   * Called with the ids of indexed entries, before their changes are deleted from the outbox. The function is called at
   * least once for each entry: if the server crashes before the deletion, the changes are indexed again.
   */
  onIndexed?: (space: string, ids: readonly string[]) => Promise<void>;
  loaders: Readonly<Record<string, EntryLoader>>;
  /**
   * Called after the changes are deleted from the outbox. If the server crashes between the deletion and the call, the
   * call is never made.
   */
  onSearchable?: (changes: readonly OutboxChange[]) => Promise<void>;
  /**
   * Maps a space (a kind of entries, such as wiki items) to a second space whose loader may queue changes for it. For
   * example, the loader of notes queues the wiki items that refer to a changed note. A search in the first space waits
   * for the changes in both spaces.
   */
  follows?: Readonly<Record<string, string>>;
  clock: Clock;
  /**
   * Returns the number of server processes (nodes) that take changes from this outbox. The pause between two batches is
   * multiplied by it. Default: 1.
   */
  nodes?: () => number;
  log: Logger;
  /**
   * Maximum number of changes per batch. Large batches make large segments (the immutable parts of the index), which
   * cost less per entry and need fewer merges.
   */
  batchSize?: number;
  /** Polling interval in milliseconds. Polling finds changes that a crashed node left behind. */
  pollMs?: number;
  /** Returns true if nothing was written lately. The outbox is then polled only every `quietPollMs` milliseconds. */
  isQuiet?: () => boolean;
  quietPollMs?: number;
  leaseMs?: number;
  /** Delay in milliseconds before a failed entry is retried. */
  backoffMs?: number;
  /**
   * Pause in milliseconds between two batches, during which changes are collected. Fewer batches save work, because
   * each batch has a fixed cost. A waiting search ends the pause early.
   */
  batchDelayMs?: number;
  /**
   * Pause in milliseconds after a batch that contains only notes. It can be longer than `batchDelayMs`, because only
   * searches wait until notes are indexed, and a search ends the pause. Wiki items, in contrast, are shown as not ready
   * until they are indexed.
   */
  unawaitedDelayMs?: number;
}

/** If at least this many changes are pending, a search does not wait for other users' changes. */
const tooMany = 1500;
/** Maximum time in milliseconds that a search waits for other users' changes. */
const othersMs = 300;

/**
 * What the indexer does after it has written a chunk of changes: it continues with the next one, waits because of a
 * failure, or leaves the remaining changes to other nodes.
 */
type Outcome = 'on' | 'wait' | 'leave';

/**
 * Applies the changes in the outbox (the queue of changes to be indexed) to the search index, each at least once. A
 * change is claimed for this node, its entry is loaded and indexed, and then the change is deleted. The next chunk of
 * changes is loaded while one is written.
 *
 * Chunks are written in order, and two nodes never index the same entry at once, so that an older state cannot
 * overwrite a newer one.
 */
export class Indexer {
  readonly #options: Required<Omit<IndexerOptions, 'outbox' | 'leaseMs' | 'backoffMs'>>;
  readonly #outbox: SearchOutbox;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #wokenAt = 0;
  /** Number of callers that wait for changes to be indexed. While there are any, batches are not delayed. */
  #waiters = 0;
  /** Users whose searches wait for their own changes to be indexed. */
  readonly #waiting = new Set<WaitingUser>();
  #endPause: () => void = () => undefined;

  constructor({ outbox: table = 'search_outbox', leaseMs = 60_000, backoffMs = 10_000, ...options }: IndexerOptions) {
    this.#options = {
      onIndexed: () => Promise.resolve(),
      onSearchable: () => Promise.resolve(),
      batchSize: 1000,
      pollMs: 5000,
      isQuiet: () => false,
      quietPollMs: 15_000,
      batchDelayMs: 150,
      unawaitedDelayMs: 400,
      nodes: () => 1,
      follows: {},
      ...options,
    };
    const { database, clock } = options;
    this.#outbox = new SearchOutbox({ database, table, clock, leaseMs, backoffMs });
  }

  async start(): Promise<void> {
    if (this.#stopped) return;
    await this.#outbox.releaseAllClaims();
    this.#timer ??= runEvery('looking at the search outbox', this.#options.pollMs, () => this.#poll()).unref();
    this.wake();
  }

  #poll(): void {
    const { isQuiet, quietPollMs } = this.#options;
    if (isQuiet() && performance.now() - this.#wokenAt < quietPollMs) return;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endPause();
    clearInterval(this.#timer);
    await this.#running;
  }

  get isRebuilding(): boolean {
    return this.#options.index.needsRebuild;
  }

  /**
   * Starts indexing in the background, or makes the indexing that is running look for further changes. Must be called
   * after a write to the outbox (the queue of changes to be indexed).
   */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#wokenAt = performance.now();
    this.#running ??= runInBackground('indexing', () => this.#drain()).finally(() => {
      this.#running = undefined;
    });
  }

  /**
   * Resolves when all changes written before the call are indexed, by this node or another one. Does not wait for
   * failed entries that will be retried later.
   */
  async waitUntilDrained(): Promise<void> {
    this.#waiters += 1;
    this.#endPause();
    try {
      await this.#outbox.makeDue();
      for (;;) {
        this.wake();
        await this.#running;
        if (!(await this.#outbox.hasOpen()) || this.#stopped) return;
        await sleep(5);
      }
    } finally {
      this.#waiters -= 1;
    }
  }

  /**
   * Waits until the user's own earlier changes in this space (a kind of entries, such as notes) are indexed, or until
   * the deadline has passed. Waits only briefly for changes by other users. Returns false if changes are missing or the
   * index is being rebuilt.
   */
  async waitForOwnWrites(space: string, userId: string, deadline: number): Promise<boolean> {
    const { index, follows } = this.#options;
    const before = follows[space];
    // Read this flag before the outbox. In the opposite order, a rebuild could queue its entries and end between the
    // two reads, and both reads would miss it.
    const isRebuilding = index.needsRebuild;
    if (!(await this.#outbox.hasAnyIn(space, before ?? space))) return !isRebuilding;
    const spaces = before === undefined ? [space] : [before, space];
    const othersDeadline = Math.min(deadline, Date.now() + othersMs);
    await this.#outbox.makeDue({ space, userId });
    let isBehind = index.needsRebuild;
    for (const one of spaces) if (!(await this.#ownIndexed({ space: one, userId }, deadline))) isBehind = true;
    for (const one of spaces) if (!(await this.#othersIndexed(one, othersDeadline))) isBehind = true;
    return !isBehind;
  }

  async #ownIndexed(own: WaitingUser, deadline: number): Promise<boolean> {
    const { last, hasFailed } = await this.#outbox.newestOf(own);
    if (last === null) return !hasFailed;
    this.#waiting.add(own);
    try {
      return (await this.#indexedBy(deadline, () => this.#outbox.hasUpTo(own.space, last, own.userId))) && !hasFailed;
    } finally {
      this.#waiting.delete(own);
    }
  }

  /**
   * Waits until the changes of other users are indexed, at most until the deadline. Returns false at once if there are
   * too many changes to index in time. After the wait, returns false only if changes without a known user are still
   * pending.
   */
  async #othersIndexed(space: string, deadline: number): Promise<boolean> {
    const { last, n } = await this.#outbox.newestIn(space, tooMany);
    if (last === null) return true;
    if (n >= tooMany) return false;
    await this.#indexedBy(deadline, () => this.#outbox.hasUpTo(space, last));
    // Also check changes without a user (''), which a rebuild of the index queues. Some of them may be the caller's
    // own.
    return !(await this.#outbox.hasUpTo(space, last, ''));
  }

  async #indexedBy(deadline: number, isOpen: () => Promise<boolean>): Promise<boolean> {
    this.#waiters += 1;
    try {
      while (!this.#stopped) {
        if (Date.now() >= deadline) return false;
        this.#endPause();
        this.wake();
        await sleep(5);
        if (!(await isOpen())) return true;
      }
      return false;
    } finally {
      this.#waiters -= 1;
    }
  }

  /** Returns the next waiting user in round-robin order, so that a user with many changes does not delay others. */
  #nextWaiting(): WaitingUser | undefined {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      this.#waiting.add(next);
    }
    return next;
  }

  /**
   * Queues all entries for indexing if the index is new, damaged or of an older format. Resolves to true if this node
   * queued them.
   */
  rebuildIfNeeded(sources: Readonly<Record<string, AllIds>>): Promise<boolean> {
    const { database, index, log } = this.#options;
    const onListed = (): void => this.wake();
    return rebuildIfNeeded({ database, index, log, onQueued: onListed, isStopped: () => this.#stopped }, sources);
  }

  async #drain(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#takeAll();
      } catch (error) {
        this.#options.log.error({ err: error }, 'the search outbox could not be read; trying again later');
      }
    }
  }

  /**
   * Processes batches of changes until none are left. If many changes are pending, the next batch is claimed before the
   * previous one is written.
   */
  async #takeAll(): Promise<void> {
    const { batchSize, loaders } = this.#options;
    let last: ChangeBatch | undefined;
    let writing: Promise<Outcome> = Promise.resolve('on');
    const isOver = async (): Promise<boolean> => (await writing) !== 'on' || this.#stopped;
    while (!this.#stopped) {
      const batch = await this.#outbox
        .claim(batchSize, last?.claim, this.#nextWaiting())
        .catch(async (error: unknown) => {
          await writing;
          throw error;
        });
      if (!batch && !last) return;
      if (batch?.hasLeft) runDelayed('looking at the search outbox', 150, () => this.wake()).unref();
      for await (const piece of batch ? loadChunks(batch, loaders) : []) {
        if (await isOver()) return this.#releaseBatch(batch!, await writing);
        writing = this.#write(piece);
      }
      last = batch;
      if (batch?.changes.length === batchSize) continue;
      if (await isOver()) return;
      last = undefined;
      if (batch) await this.#pause(batch.changes.some((change) => change.space !== 'note'));
    }
    await writing;
  }

  async #pause(isAwaited: boolean): Promise<void> {
    if (this.#waiters > 0 || this.#stopped) return;
    await new Promise<void>((resolve) => {
      const { batchDelayMs, unawaitedDelayMs, nodes } = this.#options;
      const delayMs = isAwaited ? batchDelayMs : unawaitedDelayMs;
      const timer = setTimeout(resolve, delayMs * nodes()).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Writes one chunk of changes to the index. Never rejects, because no caller awaits this promise while the next chunk
   * is loaded, and a rejection would be unhandled.
   */
  async #write(piece: LoadedChunk): Promise<Outcome> {
    try {
      if (piece.failure) throw piece.failure.error;
      if (await this.#index(piece)) await this.#deleteChanges(piece.batch, piece.changes);
      return 'on';
    } catch (error) {
      if (this.#stopped) return 'leave';
      return this.#failed(piece, error);
    }
  }

  /**
   * Indexes one chunk of changes. Returns false without indexing it if this node's lease on the changes may have
   * expired during loading, or if the database was replaced meanwhile.
   */
  async #index({ batch, space, changes, entries, deletedIds }: LoadedChunk): Promise<boolean> {
    const { index, onIndexed, log, database } = this.#options;
    if (!(await this.#outbox.renewLease(batch))) {
      log.warn({ entries: changes.length }, 'loading took so long that another node may have taken over');
      return false;
    }
    if (batch.incarnation !== database.incarnation.number) {
      log.warn({ entries: changes.length }, 'the database was put back; its changes are read anew');
      await this.#outbox.release(batch);
      return false;
    }
    await index.put(entries);
    await index.remove(space, deletedIds);
    await onIndexed(space, [...new Set(changes.map((change) => change.id))]);
    return true;
  }

  async #deleteChanges(batch: ChangeBatch, changes: readonly OutboxChange[]): Promise<void> {
    await this.#outbox.delete(batch, changes);
    const { onSearchable, log } = this.#options;
    await onSearchable(changes).catch((error: unknown) => log.warn({ err: error }, 'telling what is found'));
  }

  async #failed(piece: LoadedChunk, cause: unknown): Promise<Outcome> {
    try {
      return await this.#outcomeOf(piece, cause);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the search outbox could not be written; trying again later');
      return 'leave';
    }
  }

  async #outcomeOf(piece: LoadedChunk, error: unknown): Promise<Outcome> {
    const { log } = this.#options;
    const entries = piece.changes.length;
    if (error instanceof IndexTakenOver) {
      log.warn({ err: error }, 'this node no longer indexes: nodes of a newer version do');
      this.#stopped = true;
      clearInterval(this.#timer);
      await this.#releaseBatch(piece.batch, 'leave');
      return 'leave';
    }
    if (error instanceof Unavailable) {
      // The failure is temporary, so postpone the batch and stop for now.
      log.warn({ err: error, entries }, 'indexing waits');
      await this.#releaseBatch(piece.batch, 'wait');
      return 'wait';
    }
    log.warn({ err: error, entries }, 'a batch could not be indexed; trying its entries one by one');
    await this.#oneByOne(piece);
    return 'on';
  }

  /** Indexes the entries separately, so that one invalid entry does not block the others. */
  async #oneByOne({ batch, space, changes }: LoadedChunk): Promise<void> {
    const { log, loaders } = this.#options;
    for (const change of changes) {
      try {
        const piece = await loadChunk(batch, space, [change], loaders[space]);
        if (piece.failure) throw piece.failure.error;
        if (await this.#index(piece)) await this.#deleteChanges(batch, [change]);
      } catch (error) {
        log.error({ err: error, space: change.space, id: change.id }, 'could not be indexed; trying again later');
        await this.#outbox.postponeOne(batch, change);
      }
    }
  }

  async #releaseBatch(batch: ChangeBatch, outcome: Outcome): Promise<void> {
    if (outcome === 'wait') await this.#outbox.postpone(batch);
    else await this.#outbox.release(batch);
  }
}
