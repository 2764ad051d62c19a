import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground, later } from '../../lib/background.ts';
import type { Log } from '../../lib/log.ts';
import type { SearchFeed } from '../../ports/search-feed.ts';
import type { SearchEntry, SearchIndex, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import type { Indexer } from './indexer.ts';

/** A search index that opens on first use, so that the server's start does not wait for it. */
export class LazySearchIndex implements SearchIndex {
  readonly #open: () => Promise<SearchIndex>;
  #opening: Promise<SearchIndex> | undefined;
  #opened: SearchIndex | undefined;

  constructor(open: () => Promise<SearchIndex>) {
    this.#open = open;
  }

  opened(): Promise<SearchIndex> {
    if (this.#opening) return this.#opening;
    const opening = this.#open().then(
      (index) => {
        if (this.#opening === opening) this.#opened = index;
        return index;
      },
      (error: unknown) => {
        if (this.#opening === opening) this.#opening = undefined;
        throw error;
      },
    );
    return (this.#opening = opening);
  }

  /** Reopens the index on next use, because the database was replaced. */
  reopen(): void {
    const before = this.#opening;
    this.#opening = undefined;
    this.#opened = undefined;
    if (before) inBackground('closing the search index', async () => (await before).close());
  }

  /** False until the index is open, because the state is unknown before. */
  get needsRebuild(): boolean {
    return this.#opened?.needsRebuild ?? false;
  }

  async put(entries: readonly SearchEntry[]): Promise<void> {
    return (await this.opened()).put(entries);
  }

  async remove(space: string, ids: readonly string[]): Promise<void> {
    return (await this.opened()).remove(space, ids);
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    return (await this.opened()).search(query);
  }

  async clear(space: string): Promise<void> {
    return (await this.opened()).clear(space);
  }

  async takeRebuild(): ReturnType<SearchIndex['takeRebuild']> {
    return (await this.opened()).takeRebuild();
  }

  async rebuilt(): Promise<void> {
    return (await this.opened()).rebuilt();
  }

  async close(): Promise<void> {
    if (this.#opening) await (await this.#opening).close();
  }
}

const soonMs = 500;
/** Maximum time a search waits for its caller's own writes to be indexed. */
const waitMs = 5000;
/** Interval of checks whether the opening index needs a rebuild. */
const lookMs = 100;
const againMs = 5000;

/** Starts indexing shortly after the server's start, or when a caller waits for it. */
export class LazyFeed implements SearchFeed {
  readonly #indexer: Indexer;
  /** The embedding indexer, which no search waits for. */
  readonly #behind: Indexer | undefined;
  readonly #prepare: () => Promise<void>;
  readonly #log: Log;
  #timer: NodeJS.Timeout;
  #beginning: Promise<void> | undefined;
  #hasBegun = false;
  #stopped = false;

  /** `prepare` opens the index and queues missing entries. */
  constructor(options: { indexer: Indexer; behind?: Indexer | undefined; prepare: () => Promise<void>; log: Log }) {
    this.#indexer = options.indexer;
    this.#behind = options.behind;
    this.#prepare = options.prepare;
    this.#log = options.log;
    this.#timer = this.#beginIn(soonMs);
  }

  poke(): void {
    if (this.#hasBegun) this.#indexer.poke();
  }

  async drained(): Promise<void> {
    await this.#begin();
    await this.#indexer.drained();
    await this.#behind?.drained();
  }

  async caughtUp(space: string, userId: string): Promise<boolean> {
    const deadline = Date.now() + waitMs;
    if (!this.#hasBegun && !(await this.#begunBy(deadline))) return false;
    return this.#indexer.caughtUp(space, userId, deadline);
  }

  /**
   * Waits for the start until the deadline. Returns true early during a rebuild: queued entries are indexed meanwhile,
   * so callers need not wait for the whole rebuild.
   */
  async #begunBy(deadline: number): Promise<boolean> {
    const begun = this.#begin().then(
      () => 'begun' as const,
      () => 'failed' as const,
    );
    for (;;) {
      const state = await Promise.race([begun, sleep(lookMs, 'waiting' as const, { ref: false })]);
      if (state !== 'waiting' || Date.now() >= deadline) return state === 'begun';
      if (this.#indexer.isRebuilding) return true;
    }
  }

  /** Called when the database was replaced: checks again whether the index is complete. */
  restart(): void {
    if (this.#stopped) return;
    this.#beginning = undefined;
    clearTimeout(this.#timer);
    this.#timer = this.#beginIn(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    // Stop the indexer first: `#beginning` may wait for another node, and ends with the indexer.
    const stopping = this.#indexer.stop();
    await this.#beginning?.catch(() => undefined);
    await stopping;
    await this.#behind?.stop();
  }

  #beginIn(ms: number): NodeJS.Timeout {
    const begin = (): Promise<void> =>
      this.#begin().catch((error: unknown) => {
        this.#log.error({ err: error }, 'the search index could not be opened; trying again');
        if (!this.#stopped) this.#timer = this.#beginIn(againMs);
      });
    return later('opening the search index', ms, begin).unref();
  }

  #begin(): Promise<void> {
    this.#beginning ??= this.#prepare()
      .then(() => this.#indexer.start())
      .then(() => this.#behind?.start())
      .then(
        () => {
          this.#hasBegun = true;
        },
        (error: unknown) => {
          this.#beginning = undefined;
          throw error;
        },
      );
    return this.#beginning;
  }
}
