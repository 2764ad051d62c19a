import type { SegmentReader, PartId } from '@sheaf/search/index/segment-reader';
import { partNumbers } from '@sheaf/search/index/segment-format';
import type { PostgresDatabase } from '../sql/postgres/database.ts';
import { sql } from '../sql/statement.ts';
import { PartCache, SegmentCache } from './segment-cache.ts';
import { SegmentNotFound, type SegmentStore } from './segment-store.ts';

/** Maximum size in bytes of the cache of segment parts, which saves repeated reads over the network. */
const maxCachedBytes = 32 * 2 ** 20;

/** Cached segments of one space (a kind of entries, such as notes). */
interface CachedSpace {
  version: number;
  /**
   * Id of the oldest transaction that was still running at the last read. Deletions by it and by later transactions may
   * not have been visible then, so they must be read again.
   */
  transaction: string;
  kept: SegmentCache;
}

/** Reads segments from PostgreSQL (tables of migration 011). One short query detects whether anything changed. */
export class PostgresSegmentStore implements SegmentStore {
  readonly #db: PostgresDatabase;
  /** Format of the segments to read; segments of other formats are ignored. */
  readonly #format: string;
  readonly #spaces = new Map<string, CachedSpace>();
  readonly #parts = new PartCache(maxCachedBytes);

  constructor(database: PostgresDatabase, format: string) {
    this.#db = database;
    this.#format = format;
  }

  async segments(space: string): Promise<readonly SegmentReader[]> {
    const row = await this.#db.get<{ version: number }>(sql`SELECT version FROM search_space WHERE space = ${space}`);
    const version = row?.version ?? 0;
    const known = this.#spaces.get(space);
    if (known?.version === version) return known.kept.list;
    return this.#refresh(space);
  }

  readonly cachedSegments = (space: string): readonly SegmentReader[] => this.#spaces.get(space)?.kept.list ?? [];

  /**
   * Reads version, segments and deletions in one statement, so that they are consistent. Because there can be many
   * deletions, reads only those that are new to this node or belong to segments that are new to it.
   */
  async #refresh(space: string): Promise<readonly SegmentReader[]> {
    const last = this.#spaces.get(space);
    const loaded = JSON.stringify(last?.kept.list.map(({ number }) => number) ?? []);
    const row = await this.#db.get<{ version: number; transaction: string; segments: string; gone: string }>(
      sql`WITH segment AS (SELECT number, first, last FROM search_segment
           WHERE space = ${space} AND format = ${this.#format}),
         gone AS (
           SELECT document FROM search_gone WHERE space = ${space} AND written >= ${last?.transaction ?? '0'}::text::xid8
           UNION ALL
           SELECT g.document FROM segment JOIN search_gone g ON g.document BETWEEN segment.first AND segment.last
           WHERE ${last ? 1 : 0}::int = 1
             AND segment.number NOT IN (SELECT value::bigint FROM jsonb_array_elements_text(${loaded}::jsonb)))
       SELECT s.version, pg_snapshot_xmin(pg_current_snapshot())::text AS transaction,
         (SELECT coalesce(json_agg(number ORDER BY number), '[]')::text FROM segment) AS segments,
         (SELECT coalesce(json_agg(document), '[]')::text FROM gone) AS gone
       FROM search_space s WHERE s.space = ${space}`,
    );
    if (!row) return [];
    const state = { segments: JSON.parse(row.segments) as number[], deleted: JSON.parse(row.gone) as number[] };
    const before = last?.kept ?? new SegmentCache();
    const missing = before.missing(state.segments);
    const parts = await this.#read(
      missing.flatMap((segment) => [
        { segment, part: partNumbers.columns },
        { segment, part: partNumbers.dictionary },
      ]),
    );
    // If a concurrent query has stored the same or a newer state, use that state.
    const known = this.#spaces.get(space);
    if (known && known.version >= row.version) return known.kept.list;
    const kept = known?.kept ?? before;
    const still = new Set(kept.missing(state.segments));
    if (missing.length < still.size) return this.#refresh(space);
    kept.update(
      state,
      missing
        .map((number, i) => ({ number, columns: parts[2 * i]!, dictionary: parts[2 * i + 1]! }))
        .filter(({ number }) => still.has(number)),
    );
    this.#spaces.set(space, { version: row.version, transaction: row.transaction, kept });
    return kept.list;
  }

  readonly parts = async (wanted: readonly PartId[]): Promise<Uint8Array[]> => {
    const found = wanted.map((part) => this.#parts.get(part));
    const missing = wanted.filter((_, i) => found[i] === undefined);
    const read = await this.#read(missing);
    let next = 0;
    return found.map((bytes, i) => {
      if (bytes) return bytes;
      const fresh = read[next++]!;
      this.#parts.set(wanted[i]!, fresh);
      return fresh;
    });
  };

  async #read(parts: readonly PartId[]): Promise<Uint8Array[]> {
    if (parts.length === 0) return [];
    // Pass the arrays as text, so that the query can also run without a prepared statement, which a connection pooler
    // may not support.
    const [segments, numbers] = [parts.map((one) => one.segment), parts.map((one) => one.part)];
    const rows = await this.#db.all<{ data: Uint8Array | null }>(sql`SELECT p.data
      FROM unnest(${`{${segments.join(',')}}`}::bigint[], ${`{${numbers.join(',')}}`}::int[])
        WITH ORDINALITY AS w(segment, part, place)
      LEFT JOIN search_part p ON p.segment = w.segment AND p.part = w.part ORDER BY w.place`);
    return rows.map(({ data }) => {
      if (!data) throw new SegmentNotFound();
      return data;
    });
  }

  async numbers(space: string, ids: readonly string[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#db.all<{ number: number; id: string }>(sql`SELECT number, id FROM search_document
      WHERE space = ${space} AND id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`);
    return new Map(rows.map((row) => [row.number, row.id]));
  }
}
