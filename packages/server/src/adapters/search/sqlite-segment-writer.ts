import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { buildSegment, sortByOwner } from '@sheaf/search/index/build-segment';
import { countDeleted, mergeSegments } from '@sheaf/search/index/merge-segments';
import { partKey, partNumbers, type SegmentParts } from '@sheaf/search/index/segment-format';
import type { SearchEntry } from '../../ports/search-index.ts';
import { isCorruption, sqliteErrorCode } from '../sql/sqlite/damage.ts';
import { StatementCache } from '../sql/sqlite/statement-cache.ts';
import { exceedsDeleteRatio, segmentsToMerge, segmentsToCompact, type SegmentSize } from './merge-policy.ts';
import type { OpenResult } from './index-worker-protocol.ts';
import { partKeyRange, schemaVersion, createTablesSql } from './sqlite-schema.ts';

/**
 * The only connection that writes the index file. It runs in the worker thread. Every batch is flushed to disk before
 * `put` resolves, because its changes are then deleted from the outbox (the queue of changes to be indexed).
 */
export class SqliteSegmentWriter {
  readonly #path: string;
  /** Spaces (kinds of entries, such as `note`) with new segments that were not considered for a merge yet. */
  readonly #unmerged = new Set<string>();
  #open: { db: DatabaseSyncInstance; statements: StatementCache } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  open(): OpenResult {
    if (!existsSync(this.#path)) return { ...this.reset(), reason: '' };
    try {
      const { db } = this.#connect();
      const version = db.prepare("SELECT value FROM state WHERE name = 'version'").get() as
        | { value: string }
        | undefined;
      if (version?.value === schemaVersion) {
        return {
          needsRebuild: db.prepare("SELECT 1 FROM state WHERE name = 'complete'").get() === undefined,
          reason: '',
        };
      }
      return {
        ...this.reset(),
        reason: `it is of version ${version?.value ?? 'unknown'}, this version of sheaf writes ${schemaVersion}`,
      };
    } catch (error) {
      if (!isCorruption(sqliteErrorCode(error)) && !/no such table/.test(String(error))) throw error;
      return { ...this.reset(), reason: error instanceof Error ? error.message : String(error) };
    }
  }

  reset(): OpenResult {
    this.close();
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(this.#path + suffix, { force: true });
    const { db } = this.#connect();
    db.exec(createTablesSql);
    db.prepare("INSERT OR REPLACE INTO state (name, value) VALUES ('version', ?)").run(schemaVersion);
    return { needsRebuild: true, reason: '' };
  }

  put(entries: readonly SearchEntry[]): void {
    const latest = [...new Map(entries.map((entry) => [`${entry.space} ${entry.id}`, entry])).values()];
    for (const [space, own] of bySpace(latest)) this.#putInSpace(space, sortByOwner(own));
  }

  #putInSpace(space: string, entries: readonly SearchEntry[]): void {
    const first = (this.#run<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'document'")?.seq ?? 0) + 1;
    // Build the segment before the transaction, so that the file is locked only while writing. The document numbers
    // from `first` on stay free until then, because only this thread assigns document numbers.
    const segment = buildSegment(entries, first);
    this.#transaction(() => {
      for (const { id } of entries) this.#removeOne(space, id);
      entries.forEach(({ id }, i) =>
        this.#run('INSERT INTO document (number, space, id) VALUES (?, ?, ?)', first + i, space, id),
      );
      this.#store(space, segment);
    });
    this.#unmerged.add(space);
  }

  /**
   * Merges segments in spaces (kinds of entries) where recent batches added too many. Called after these batches were
   * reported as written, so that no caller waits for the merge.
   */
  mergeMany(): void {
    for (const space of this.#unmerged) {
      while (this.#merge(space, false));
      this.#unmerged.delete(space);
    }
  }

  #store(space: string, { documents, first, last, parts }: SegmentParts): void {
    let bytes = 0;
    for (const data of parts.values()) bytes += data.length;
    const row = this.#run<{ number: number }>(
      'INSERT INTO segment (space, documents, bytes, first, last) VALUES (?, ?, ?, ?, ?) RETURNING number',
      space,
      documents,
      bytes,
      first,
      last,
    );
    if (!row) throw new Error('the search index gave a segment no number');
    for (const [part, data] of parts)
      this.#run('INSERT INTO part (key, data) VALUES (?, ?)', partKey(row.number, part), data);
  }

  remove(space: string, ids: readonly string[]): void {
    this.#transaction(() => {
      for (const id of ids) this.#removeOne(space, id);
    });
  }

  #removeOne(space: string, id: string): void {
    const old = this.#run<{ number: number }>(
      'DELETE FROM document WHERE space = ? AND id = ? RETURNING number',
      space,
      id,
    );
    if (old) this.#run('INSERT INTO gone (document, space) VALUES (?, ?)', old.number, space);
  }

  clear(space: string): void {
    this.#transaction(() => {
      for (const { number } of this.#sizes(space)) this.#drop(number);
      this.#run('DELETE FROM document WHERE space = ?', space);
      this.#run('DELETE FROM gone WHERE space = ?', space);
    });
  }

  #drop(segment: number): void {
    this.#run('DELETE FROM part WHERE key BETWEEN ? AND ?', ...partKeyRange(segment));
    this.#run('DELETE FROM segment WHERE number = ?', segment);
  }

  /**
   * Merges small segments of one space (a kind of entries, such as `note`), or rewrites segments with many deleted
   * documents. Returns false if there is nothing to do.
   */
  #merge(space: string, isIdle: boolean): boolean {
    const gone = this.#all<{ document: number }>('SELECT document FROM gone WHERE space = ?', space);
    const sizes = this.#sizes(space);
    const left = new Set(gone.map((row) => row.document));
    const numbers =
      segmentsToMerge(sizes, isIdle) ??
      (exceedsDeleteRatio(sizes, left.size) ? segmentsToCompact(sizes, this.#goneIn(sizes, left)) : undefined);
    if (!numbers) return false;
    const merged = mergeSegments(
      numbers.map((segment) => ({ part: (part) => this.#part(segment, part), deleted: left })),
    );
    this.#transaction(() => {
      for (const number of numbers) this.#drop(number);
      for (const document of merged.dropped) this.#run('DELETE FROM gone WHERE document = ?', document);
      if (merged.documents > 0) this.#store(space, merged);
    });
    return true;
  }

  #goneIn(sizes: readonly SegmentSize[], gone: ReadonlySet<number>): ReadonlyMap<number, number> {
    return new Map(sizes.map(({ number }) => [number, countDeleted(this.#part(number, partNumbers.columns), gone)]));
  }

  /** Merges one group of segments while the index is idle. Returns false if nothing is left to merge. */
  tidy(): boolean {
    for (const { space } of this.#all<{ space: string }>('SELECT DISTINCT space FROM segment'))
      if (this.#merge(space, true)) return true;
    // Write the write-ahead log back to the database file, because every read must first look in the log as long as it
    // has content.
    this.#run('PRAGMA wal_checkpoint(PASSIVE)');
    return false;
  }

  #sizes(space: string): SegmentSize[] {
    return this.#all('SELECT number, documents, bytes FROM segment WHERE space = ?', space);
  }

  #part(segment: number, part: number): Uint8Array {
    const row = this.#run<{ data: Uint8Array }>('SELECT data FROM part WHERE key = ?', partKey(segment, part));
    if (!row) throw new Error(`the search index lacks part ${part} of segment ${segment}`);
    return row.data;
  }

  rebuilt(): void {
    this.#run("INSERT OR REPLACE INTO state (name, value) VALUES ('complete', '1')");
  }

  close(): void {
    this.#open?.statements.clear();
    this.#open?.db.close();
    this.#open = undefined;
  }

  #connect(): { db: DatabaseSyncInstance; statements: StatementCache } {
    mkdirSync(dirname(this.#path), { recursive: true });
    const db = new DatabaseSync(this.#path, { timeout: 10_000 });
    this.#open = { db, statements: new StatementCache(db) };
    db.exec(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ' +
        'PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864',
    );
    return this.#open;
  }

  /**
   * Returns the connection and opens it if needed. A worker that replaces a crashed one opens the connection here,
   * because the checks of `open` need not be repeated.
   */
  #opened(): { db: DatabaseSyncInstance; statements: StatementCache } {
    return this.#open ?? this.#connect();
  }

  #transaction(body: () => void): void {
    const { db } = this.#opened();
    db.exec('BEGIN IMMEDIATE');
    try {
      body();
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  #run<Row>(sql: string, ...params: (string | number | Uint8Array)[]): Row | undefined {
    return this.#opened()
      .statements.prepare(sql)
      .get(...params) as Row | undefined;
  }

  #all<Row>(sql: string, ...params: (string | number)[]): Row[] {
    return this.#opened()
      .statements.prepare(sql)
      .all(...params) as Row[];
  }
}

function bySpace(entries: readonly SearchEntry[]): Map<string, SearchEntry[]> {
  const spaces = new Map<string, SearchEntry[]>();
  for (const entry of entries) spaces.set(entry.space, [...(spaces.get(entry.space) ?? []), entry]);
  return spaces;
}
