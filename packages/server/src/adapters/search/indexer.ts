import { setTimeout as sleep } from 'node:timers/promises';
import { every, inBackground, later } from '../../lib/background.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../ports/clock.ts';
import { IndexTakenOver, type SearchIndex } from '../../ports/search-index.ts';
import { Unavailable } from '../../ports/unavailable.ts';
import type { Database } from '../sql/database.ts';
import { pieceOf, piecesOf, type Loader, type Piece } from './loading.ts';
import { Outbox, type Batch, type Change, type OutboxTable, type Waiting } from './outbox.ts';
import { rebuildIfNeeded, type AllIds } from './rebuild.ts';

/** What changes are carried to. */
export type IndexTarget = Pick<SearchIndex, 'put' | 'remove' | 'clear' | 'needsRebuild' | 'takeRebuild' | 'rebuilt'>;

export interface IndexerOptions {
  database: Database;
  index: IndexTarget;
  /** The table that lists the changes. */
  outbox?: OutboxTable;
  /** Told what is indexed now, before it is taken off the list: it hears of everything at least once. */
  onIndexed?: (space: string, ids: readonly string[]) => Promise<void>;
  loaders: Readonly<Record<string, Loader>>;
  /** Told after what is indexed was taken off the list; unlike `onIndexed`, not after a crash in between. */
  onFound?: (changes: readonly Change[]) => Promise<void>;
  /** For a space, those whose changes list further ones in it once they are loaded. */
  follows?: Readonly<Record<string, string>>;
  clock: Clock;
  /** How many carry changes from this outbox: a batch of one of them is everybody's, so each begins one less often. */
  nodes?: () => number;
  log: Log;
  /** Changes claimed at a time. Many where many are waiting: a segment costs less the more it holds, and is merged less often. */
  batchSize?: number;
  /** How often the outbox is looked at without being poked: for what a crashed node left. */
  pollMs?: number;
  leaseMs?: number;
  /** How long an entry that failed waits. */
  backoffMs?: number;
  /** How long changes gather after the first ones were indexed: a batch has its price, however small. A search that waits ends it. */
  gatherMs?: number;
}

/** So many changes are not indexed in the moment that a search waits for those of others. */
const tooMany = 1500;
/** How long a search waits for what others have changed. */
const othersMs = 300;

/** What becomes of the rest after a piece: it goes on, it waits, or it is left to others. */
type Outcome = 'on' | 'wait' | 'leave';

/**
 * Carries changes from the outbox to the search index: at least once, the latest state last. A change is claimed, its
 * thing loaded and indexed, then forgotten. While one piece is written the next is loaded; they are written in their order,
 * and two nodes never index one thing at the same time, so that an older state cannot come after a newer one.
 */
export class Indexer {
  readonly #options: Required<Omit<IndexerOptions, 'outbox' | 'leaseMs' | 'backoffMs'>>;
  readonly #outbox: Outbox;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** How many wait for everything to be indexed: for them nothing is gathered. */
  #hurried = 0;
  /** Users who wait for their own changes. */
  readonly #waiting = new Set<Waiting>();
  #endPause: () => void = () => undefined;

  constructor({ outbox: table = 'search_outbox', leaseMs = 60_000, backoffMs = 10_000, ...options }: IndexerOptions) {
    this.#options = {
      onIndexed: () => Promise.resolve(),
      onFound: () => Promise.resolve(),
      batchSize: 1000,
      pollMs: 5000,
      gatherMs: 150,
      nodes: () => 1,
      follows: {},
      ...options,
    };
    const { database, clock } = options;
    this.#outbox = new Outbox({ database, table, clock, leaseMs, backoffMs });
  }

  async start(): Promise<void> {
    if (this.#stopped) return;
    await this.#outbox.endClaims();
    this.#timer ??= every('looking at the search outbox', this.#options.pollMs, () => this.poke()).unref();
    this.poke();
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
      await this.#outbox.hasten();
      for (;;) {
        this.poke();
        await this.#running;
        if (!(await this.#outbox.hasOpen()) || this.#stopped) return;
        await sleep(5);
      }
    } finally {
      this.#hurried -= 1;
    }
  }

  /**
   * Whether all that the user has changed in the space before is indexed, by this node or another: as soon as it is, at the
   * deadline at the latest. What others have changed is waited for only a moment. False too while the index is rebuilt.
   */
  async caughtUp(space: string, userId: string, deadline: number): Promise<boolean> {
    const { index, follows } = this.#options;
    const before = follows[space];
    if (!(await this.#outbox.hasAnyIn(space, before ?? space))) return !index.needsRebuild;
    const spaces = before === undefined ? [space] : [before, space];
    const othersDeadline = Math.min(deadline, Date.now() + othersMs);
    await this.#outbox.hasten({ space, userId });
    let isBehind = index.needsRebuild;
    for (const one of spaces) if (!(await this.#ownIndexed({ space: one, userId }, deadline))) isBehind = true;
    for (const one of spaces) if (!(await this.#othersIndexed(one, othersDeadline))) isBehind = true;
    return !isBehind;
  }

  async #ownIndexed(own: Waiting, deadline: number): Promise<boolean> {
    const { last, hasFailed } = await this.#outbox.newestOf(own);
    if (last === null) return !hasFailed;
    this.#waiting.add(own);
    try {
      return (await this.#indexedBy(deadline, () => this.#outbox.hasUpTo(own.space, last, own.userId))) && !hasFailed;
    } finally {
      this.#waiting.delete(own);
    }
  }

  /** False where there are more than can be indexed in that time; the search does not wait then. */
  async #othersIndexed(space: string, deadline: number): Promise<boolean> {
    const { last, n } = await this.#outbox.newestIn(space, tooMany);
    if (last === null) return true;
    if (n >= tooMany) return false;
    await this.#indexedBy(deadline, () => this.#outbox.hasUpTo(space, last));
    return true;
  }

  async #indexedBy(deadline: number, isOpen: () => Promise<boolean>): Promise<boolean> {
    this.#hurried += 1;
    try {
      while (!this.#stopped) {
        if (Date.now() >= deadline) return false;
        this.#endPause();
        this.poke();
        await sleep(5);
        if (!(await isOpen())) return true;
      }
      return false;
    } finally {
      this.#hurried -= 1;
    }
  }

  /** In turn, so that nobody who waits for much keeps another waiting. */
  #nextWaiting(): Waiting | undefined {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      this.#waiting.add(next);
    }
    return next;
  }

  /** Lists everything there is, when the index is new, was damaged or is of an older format. */
  rebuildIfNeeded(sources: Readonly<Record<string, AllIds>>): Promise<boolean> {
    const { database, index, log } = this.#options;
    const onListed = (): void => this.poke();
    return rebuildIfNeeded({ database, index, log, onListed, isStopped: () => this.#stopped }, sources);
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

  /** Batch after batch until none is left. While many are waiting, the next one is claimed before the last is written. */
  async #takeAll(): Promise<void> {
    const { batchSize, loaders } = this.#options;
    let last: Batch | undefined;
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
      if (batch?.hasLeft) later('looking at the search outbox', 150, () => this.poke()).unref();
      for await (const piece of batch ? piecesOf(batch, loaders) : []) {
        if (await isOver()) return this.#letGo(batch!, await writing);
        writing = this.#write(piece);
      }
      last = batch;
      if (batch?.changes.length === batchSize) continue;
      if (await isOver()) return;
      last = undefined;
      if (batch) await this.#pause();
    }
    await writing;
  }

  async #pause(): Promise<void> {
    if (this.#hurried > 0 || this.#stopped) return;
    await new Promise<void>((resolve) => {
      const { gatherMs, nodes } = this.#options;
      const timer = setTimeout(resolve, gatherMs * nodes()).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Never rejects: nobody listens while the next piece is loaded. */
  async #write(piece: Piece): Promise<Outcome> {
    try {
      if (piece.failure) throw piece.failure.error;
      if (await this.#index(piece)) await this.#forget(piece.batch, piece.changes);
      return 'on';
    } catch (error) {
      if (this.#stopped) return 'leave';
      return this.#failed(piece, error);
    }
  }

  /** False where it took so long that another node may have taken over, or the database is another one. */
  async #index({ batch, space, changes, entries, gone }: Piece): Promise<boolean> {
    const { index, onIndexed, log, database } = this.#options;
    if (!(await this.#outbox.keep(batch))) {
      log.warn({ entries: changes.length }, 'loading took so long that another node may have taken over');
      return false;
    }
    if (batch.incarnation !== database.incarnation.number) {
      log.warn({ entries: changes.length }, 'the database was put back; its changes are read anew');
      await this.#outbox.giveBack(batch);
      return false;
    }
    await index.put(entries);
    await index.remove(space, gone);
    await onIndexed(space, [...new Set(changes.map((change) => change.id))]);
    return true;
  }

  async #forget(batch: Batch, changes: readonly Change[]): Promise<void> {
    await this.#outbox.forget(batch, changes);
    const { onFound, log } = this.#options;
    await onFound(changes).catch((error: unknown) => log.warn({ err: error }, 'telling what is found'));
  }

  async #failed(piece: Piece, cause: unknown): Promise<Outcome> {
    try {
      return await this.#outcomeOf(piece, cause);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the search outbox could not be written; trying again later');
      return 'leave';
    }
  }

  async #outcomeOf(piece: Piece, error: unknown): Promise<Outcome> {
    const { log } = this.#options;
    const entries = piece.changes.length;
    if (error instanceof IndexTakenOver) {
      log.warn({ err: error }, 'this node no longer indexes: nodes of a newer version do');
      this.#stopped = true;
      clearInterval(this.#timer);
      await this.#letGo(piece.batch, 'leave');
      return 'leave';
    }
    if (error instanceof Unavailable) {
      // It is nobody's fault but the moment's: all of them wait, and what else is waiting is not tried now.
      log.warn({ err: error, entries }, 'indexing waits');
      await this.#letGo(piece.batch, 'wait');
      return 'wait';
    }
    log.warn({ err: error, entries }, 'a batch could not be indexed; trying its entries one by one');
    await this.#oneByOne(piece);
    return 'on';
  }

  /** So that one bad entry does not keep the others out. */
  async #oneByOne({ batch, space, changes }: Piece): Promise<void> {
    const { log, loaders } = this.#options;
    for (const change of changes) {
      try {
        const piece = await pieceOf(batch, space, [change], loaders[space]);
        if (piece.failure) throw piece.failure.error;
        if (await this.#index(piece)) await this.#forget(batch, [change]);
      } catch (error) {
        log.error({ err: error, space: change.space, id: change.id }, 'could not be indexed; trying again later');
        await this.#outbox.postponeOne(batch, change);
      }
    }
  }

  async #letGo(batch: Batch, outcome: Outcome): Promise<void> {
    if (outcome === 'wait') await this.#outbox.postpone(batch);
    else await this.#outbox.giveBack(batch);
  }
}
