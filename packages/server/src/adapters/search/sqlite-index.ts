import type { SearchEntry, SearchIndex, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import { isCorruption, sqliteErrorCode } from '../sql/sqlite/damage.ts';
import type { OpenResult, IndexTask } from './index-worker-protocol.ts';
import type { QueryTranslator } from './dictionary.ts';
import { Searcher } from './searcher.ts';
import { SqliteSegmentStore } from './sqlite-segment-store.ts';
import { TaskError, IndexWorkerClient } from './index-worker-client.ts';

export interface SqliteSearchOptions {
  /** Path of the index file, which is in the folder of the main database. */
  path: string;
  /** Path of the worker thread's bundle, dist/workers/search.js. */
  worker: string;
  /**
   * Translator for queries whose words are in a different language than the texts. It is closed together with the
   * index. If undefined, queries are not translated.
   */
  translator?: QueryTranslator | undefined;
  /** Called after an unusable index file was replaced by an empty one. `needsRebuild` is then true. */
  onReplaced?: (reason: string) => void;
  /**
   * Called after the index file was replaced while in use. It should start the rebuild, which would otherwise begin
   * only after a restart of the server.
   */
  onRebuildNeeded?: (() => void) | undefined;
}

/**
 * Search index with segments (immutable parts of the index) in a separate SQLite file. A worker thread writes the file.
 * Reads run in the calling thread, because they take only milliseconds.
 */
export class SqliteSearchIndex implements SearchIndex {
  readonly #options: SqliteSearchOptions;
  readonly #worker: IndexWorkerClient;
  #reader: { store: SqliteSegmentStore; searcher: Searcher } | undefined;
  #needsRebuild = false;
  #replacements = 0;
  /**
   * Value of `#replacements` when the current rebuild began. If the file was replaced since then, entries are missing
   * and another rebuild is needed.
   */
  #rebuildBegan: number | undefined;
  #replacing: Promise<void> | undefined;

  static async open(options: SqliteSearchOptions): Promise<SqliteSearchIndex> {
    const index = new SqliteSearchIndex(options);
    const { needsRebuild, reason } = (await index.#worker.run({ kind: 'open' })) as OpenResult;
    index.#needsRebuild = needsRebuild;
    if (reason) options.onReplaced?.(reason);
    return index;
  }

  private constructor(options: SqliteSearchOptions) {
    this.#options = options;
    this.#worker = new IndexWorkerClient(options.worker, { path: options.path });
  }

  get needsRebuild(): boolean {
    return this.#needsRebuild;
  }

  async put(entries: readonly SearchEntry[]): Promise<void> {
    if (entries.length > 0) await this.#ask({ kind: 'put', entries });
  }

  async remove(space: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#ask({ kind: 'remove', space, ids });
  }

  async clear(space: string): Promise<void> {
    await this.#ask({ kind: 'clear', space });
  }

  /**
   * Returns 'mine' if the index must be rebuilt, otherwise 'done'. No other process uses the index file, so this
   * process always does the rebuild itself.
   */
  async takeRebuild(): ReturnType<SearchIndex['takeRebuild']> {
    if (!this.#needsRebuild) return 'done';
    this.#rebuildBegan ??= this.#replacements;
    return 'mine';
  }

  async rebuilt(): Promise<void> {
    const isWhole = this.#rebuildBegan === undefined || this.#rebuildBegan === this.#replacements;
    this.#rebuildBegan = undefined;
    // If the file was replaced again during the rebuild, entries indexed before are lost and the rebuild is still
    // needed.
    if (!isWhole) return;
    await this.#ask({ kind: 'rebuilt' });
    this.#needsRebuild = false;
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    try {
      return await this.#read(query);
    } catch (error) {
      if (!isCorruption(sqliteErrorCode(error))) throw error;
      await this.#replace(error);
      return this.#read(query);
    }
  }

  async close(): Promise<void> {
    this.#closeReader();
    await this.#worker.close();
    await this.#options.translator?.close();
  }

  async #ask(task: IndexTask): Promise<void> {
    try {
      await this.#worker.run(task);
    } catch (error) {
      if (!(error instanceof TaskError) || !isCorruption(error.code)) throw error;
      await this.#replace(error);
      await this.#worker.run(task);
    }
  }

  /** Replaces a damaged index file by an empty one. Tasks that fail at the same time share one replacement. */
  #replace(cause: unknown): Promise<void> {
    this.#replacing ??= (async () => {
      this.#closeReader();
      this.#needsRebuild = true;
      this.#replacements += 1;
      await this.#worker.run({ kind: 'reset' });
      this.#options.onReplaced?.(cause instanceof Error ? cause.message : String(cause));
      this.#options.onRebuildNeeded?.();
    })().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  #read(query: SearchQuery): Promise<SearchResult> {
    if (!this.#reader) {
      const store = new SqliteSegmentStore(this.#options.path);
      this.#reader = { store, searcher: new Searcher(store, this.#options.translator) };
    }
    return this.#reader.searcher.search(query);
  }

  #closeReader(): void {
    this.#reader?.store.close();
    this.#reader = undefined;
  }
}
