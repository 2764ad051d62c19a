import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SegmentReader, PartId } from '@sheaf/search/index/segment-reader';
import { partKey, partNumbers } from '@sheaf/search/index/segment-format';
import { StatementCache } from '../sql/sqlite/statement-cache.ts';
import { PartCache, SegmentCache } from './segment-cache.ts';
import { SegmentNotFound, type SegmentStore } from './segment-store.ts';

/**
 * Maximum size in bytes of the cache of segment parts. A small cache is enough, because the database file is
 * memory-mapped and a read costs little more than a copy.
 */
const maxCachedBytes = 16 * 2 ** 20;

/** Cached segments of one space (a kind of entries, such as notes). */
interface CachedSpace {
  version: number;
  /** Number of the last row of the table `gone` (deleted documents) that was read. */
  gone: number;
  kept: SegmentCache;
}

/** Read connection to the index file. It runs in the calling thread, because each lookup takes only microseconds. */
export class SqliteSegmentStore implements SegmentStore {
  readonly #db: DatabaseSyncInstance;
  readonly #statements: StatementCache;
  readonly #spaces = new Map<string, CachedSpace>();
  readonly #parts = new PartCache(maxCachedBytes);

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    this.#db.exec('PRAGMA cache_size = -8000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
    this.#statements = new StatementCache(this.#db);
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  async segments(space: string): Promise<readonly SegmentReader[]> {
    // SQLite's data_version changes whenever another connection, such as that of the writing worker, has committed. If
    // it is unchanged, the cached list of segments is current.
    const version = this.#get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
    const known = this.#spaces.get(space);
    if (known?.version === version) return known.kept.list;
    const kept = known?.kept ?? new SegmentCache();
    // Read in one transaction, so that segments and deletions are consistent.
    this.#get('BEGIN');
    try {
      const segments = this.#all<{ number: number }>(
        'SELECT number FROM segment WHERE space = ? ORDER BY number',
        space,
      );
      const numbers = segments.map((row) => row.number);
      const missing = kept.missing(numbers);
      const gone = this.#gone(space, known?.gone ?? 0, known ? missing : []);
      const loaded = missing.map((number) => ({
        number,
        columns: this.#part({ segment: number, part: partNumbers.columns }),
        dictionary: this.#part({ segment: number, part: partNumbers.dictionary }),
      }));
      kept.update({ segments: numbers, deleted: gone.documents }, loaded);
      this.#spaces.set(space, { version, gone: gone.last, kept });
    } finally {
      this.#get('COMMIT');
    }
    return kept.list;
  }

  /**
   * Returns the documents that were deleted after the row `after` of the table `gone`, and all deleted documents of the
   * given segments.
   */
  #gone(space: string, after: number, segments: readonly number[]): { documents: number[]; last: number } {
    const rows = this.#all<{ place: number; document: number }>(
      'SELECT place, document FROM gone WHERE place > ? AND space = ? ORDER BY place',
      after,
      space,
    );
    const documents = rows.map((row) => row.document);
    for (const segment of segments)
      for (const { document } of this.#all<{ document: number }>(
        'SELECT g.document FROM segment s JOIN gone g ON g.document BETWEEN s.first AND s.last WHERE s.number = ?',
        segment,
      ))
        documents.push(document);
    return { documents, last: rows.at(-1)?.place ?? after };
  }

  readonly parts = async (wanted: readonly PartId[]): Promise<Uint8Array[]> => {
    const parts: Uint8Array[] = [];
    for (const part of wanted) {
      let bytes = this.#parts.get(part);
      if (!bytes) this.#parts.set(part, (bytes = this.#part(part)));
      parts.push(bytes);
    }
    return parts;
  };

  async numbers(space: string, ids: readonly string[]): Promise<ReadonlyMap<number, string>> {
    const numbers = new Map<number, string>();
    for (const id of ids) {
      const row = this.#get<{ number: number }>('SELECT number FROM document WHERE space = ? AND id = ?', space, id);
      if (row) numbers.set(row.number, id);
    }
    return numbers;
  }

  #part({ segment, part }: PartId): Uint8Array {
    const row = this.#get<{ data: Uint8Array }>('SELECT data FROM part WHERE key = ?', partKey(segment, part));
    if (!row) throw new SegmentNotFound();
    return row.data;
  }

  #get<Row>(sql: string, ...params: (string | number)[]): Row | undefined {
    return this.#statements.prepare(sql).get(...params) as Row | undefined;
  }

  #all<Row>(sql: string, ...params: (string | number)[]): Row[] {
    return this.#statements.prepare(sql).all(...params) as Row[];
  }
}
