import { setTimeout as sleep } from 'node:timers/promises';
import { runInBackground, runDelayed } from '../../lib/background-tasks.ts';
import type { Logger } from '../../lib/logger.ts';
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

  /** Reopens the index on next use. Called when the database was replaced. */
  reopen(): void {
    const before = this.#opening;
    this.#opening = undefined;
    this.#opened = undefined;
    if (before) runInBackground('closing the search index', async () => (await before).close());
  }

  /** Whether the index must be rebuilt. False until the index is open, because its state is unknown before. */
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

const startDelayMs = 500;
/** Maximum time in milliseconds that a search waits for its caller's own writes to be indexed. */
const waitMs = 5000;
/** Interval in milliseconds at which a waiting caller checks whether a rebuild has begun. */
const pollMs = 100;
const retryMs = 5000;

/**
 * Feeds changes to the search index. Indexing starts shortly after the server's start, or as soon as a caller waits for
 * it.
 */
export class LazySearchFeed implements SearchFeed {
  readonly #indexer: Indexer;
  /**
   * Indexer that computes embeddings, the vectors for search by meaning. Searches never wait for it. Undefined if there
   * is no embedding model.
   */
  readonly #embeddingIndexer: Indexer | undefined;
  readonly #prepare: () => Promise<void>;
  readonly #log: Logger;
  #timer: NodeJS.Timeout;
  #starting: Promise<void> | undefined;
  #isStarted = false;
  #stopped = false;

  /** `prepare` opens the index and queues entries that are missing from it. */
  constructor(options: {
    indexer: Indexer;
    embeddingIndexer?: Indexer | undefined;
    prepare: () => Promise<void>;
    log: Logger;
  }) {
    this.#indexer = options.indexer;
    this.#embeddingIndexer = options.embeddingIndexer;
    this.#prepare = options.prepare;
    this.#log = options.log;
    this.#timer = this.#startIn(startDelayMs);
  }

  wake(): void {
    if (this.#isStarted) this.#indexer.wake();
  }

  async waitUntilDrained(): Promise<void> {
    await this.#start();
    await this.#indexer.waitUntilDrained();
    await this.#embeddingIndexer?.waitUntilDrained();
  }

  async waitForOwnWrites(space: string, userId: string): Promise<boolean> {
    const deadline = Date.now() + waitMs;
    if (!this.#isStarted && !(await this.#startedBy(deadline))) return false;
    return this.#indexer.waitForOwnWrites(space, userId, deadline);
  }

  /**
   * Waits until indexing has started. Returns false if the start failed or the deadline passed first. During a rebuild,
   * returns true before the start has ended, because queued entries are then indexed already, and callers need not wait
   * for the whole rebuild.
   */
  async #startedBy(deadline: number): Promise<boolean> {
    const begun = this.#start().then(
      () => 'begun' as const,
      () => 'failed' as const,
    );
    for (;;) {
      const state = await Promise.race([begun, sleep(pollMs, 'waiting' as const, { ref: false })]);
      if (state !== 'waiting' || Date.now() >= deadline) return state === 'begun';
      if (this.#indexer.isRebuilding) return true;
    }
  }

  /**
   * Starts indexing again, which includes the check whether the index is complete. Called when the database or the
   * index was replaced.
   */
  restart(): void {
    if (this.#stopped) return;
    this.#starting = undefined;
    clearTimeout(this.#timer);
    this.#timer = this.#startIn(0);
  }

  /**
   * Rebuilds the search index after it was found damaged while in use and replaced by an empty one. If indexing is
   * still starting, first waits until it has started.
   */
  refill(): void {
    runInBackground('rebuilding the search index', async () => {
      await this.#starting?.catch(() => undefined);
      this.restart();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    // Stop the indexer before awaiting `#starting`. The start may be waiting until another node has rebuilt the index,
    // and then ends only when the indexer stops.
    const stopping = this.#indexer.stop();
    await this.#starting?.catch(() => undefined);
    await stopping;
    await this.#embeddingIndexer?.stop();
  }

  #startIn(ms: number): NodeJS.Timeout {
    const begin = (): Promise<void> =>
      this.#start().catch((error: unknown) => {
        this.#log.error({ err: error }, 'the search index could not be opened; trying again');
        if (!this.#stopped) this.#timer = this.#startIn(retryMs);
      });
    return runDelayed('opening the search index', ms, begin).unref();
  }

  #start(): Promise<void> {
    this.#starting ??= this.#prepare()
      .then(() => this.#indexer.start())
      .then(() => this.#embeddingIndexer?.start())
      .then(
        () => {
          this.#isStarted = true;
        },
        (error: unknown) => {
          this.#starting = undefined;
          throw error;
        },
      );
    return this.#starting;
  }
}
