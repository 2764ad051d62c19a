import { runInBackground, runDelayed } from '../../lib/background-tasks.ts';
import { newId } from '../../lib/ids.ts';
import { sortByOwner } from '@sheaf/search/index/build-segment';
import type { MergedSegment } from '@sheaf/search/index/merge-segments';
import { partNumbers, segmentFormat, type SegmentParts } from '@sheaf/search/index/segment-format';
import { tokensVersion } from '@sheaf/search/analysis/tokenizer';
import {
  IndexTakenOver,
  type SearchEntry,
  type SearchIndex,
  type SearchQuery,
  type SearchResult,
} from '../../ports/search-index.ts';
import { Unavailable } from '../../ports/availability-errors.ts';
import type { Sql } from '../sql/database.ts';
import { raw, sql } from '../sql/statement.ts';
import type { PostgresDatabase } from '../sql/postgres/database.ts';
import { exceedsDeleteRatio, segmentsToMerge, segmentsToCompact, type SegmentSize } from './merge-policy.ts';
import { PostgresSegmentStore } from './postgres-segment-store.ts';
import type { QueryTranslator } from './dictionary.ts';
import { Searcher } from './searcher.ts';
import { IndexWorkerClient } from './index-worker-client.ts';

export interface PostgresSearchOptions {
  database: PostgresDatabase;
  /** Path of the worker thread's bundle, dist/workers/search.js. */
  worker: string;
  /**
   * Translator for queries whose words are in a different language than the texts. It is closed together with the
   * index. If undefined, queries are not translated.
   */
  translator?: QueryTranslator | undefined;
  /** Index format that this node reads and writes. Tests set a different one to simulate another version. */
  format?: string;
}

/**
 * Maximum number of documents in a batch. It equals the increment of the database sequence of document numbers
 * (migration 011), because each batch takes one value of the sequence and numbers its documents from there.
 */
const numbersAtOnce = 4096;
/**
 * Version of the index: of its file format and of the tokens into which texts are split. An index built with another
 * version is rebuilt.
 */
const indexVersion = `${segmentFormat}.${tokensVersion}`;
/** Time in milliseconds without writes after which segments are merged even if they are few. */
const idleMs = 1000;
/** Duration of the lease of a rebuild in milliseconds. If it is not renewed, another node takes over the rebuild. */
const rebuildLeaseMs = 60_000;
/** Maximum size in bytes of the segment parts in one statement, to limit memory use. */
const maxAtOnce = 4 * 2 ** 20;

/**
 * Search index on PostgreSQL. Its segments (immutable parts of the index) are stored in the main database. A worker
 * thread builds the segments, and any node writes and merges them.
 */
export class PostgresSearchIndex implements SearchIndex {
  readonly #db: PostgresDatabase;
  readonly #worker: IndexWorkerClient;
  readonly #searcher: Searcher;
  readonly #translator: QueryTranslator | undefined;
  readonly #node = newId('node');
  readonly #format: string;
  /**
   * Name of the lock that makes this node's index writes run one after another. Writes of different nodes may run at
   * the same time; they wait for each other only at the row that holds the space's version. Without a lock name, each
   * write would be a serializable transaction, and merges would fail repeatedly while other nodes write.
   */
  readonly #writing = `search:${this.#node}`;
  #needsRebuild = false;
  #merging: Promise<void> | undefined;
  #tidying: NodeJS.Timeout | undefined;
  /** Spaces (kinds of entries) that were written since the last merge during an idle period. */
  readonly #written = new Set<string>();
  #closed = false;

  static async open(options: PostgresSearchOptions): Promise<PostgresSearchIndex> {
    const index = new PostgresSearchIndex(options);
    const states = await options.database.all<{ name: string; value: string }>(
      "SELECT name, value FROM search_state WHERE name IN ('complete', 'format')",
    );
    const valueOf = (name: string): string | undefined => states.find((state) => state.name === name)?.value;
    // An empty format means that no node has written to the index yet: claim the index for the format of this version.
    if (valueOf('format') === '')
      await options.database.write(null, (tx) =>
        tx.execute(sql`UPDATE search_state SET value = ${index.#format} WHERE name = 'format' AND value = ''`),
      );
    index.#needsRebuild = valueOf('complete') !== index.#format;
    return index;
  }

  private constructor({ database, worker, translator, format = indexVersion }: PostgresSearchOptions) {
    this.#db = database;
    this.#format = format;
    this.#worker = new IndexWorkerClient(worker, {});
    this.#searcher = new Searcher(new PostgresSegmentStore(database, format), translator);
    this.#translator = translator;
  }

  get needsRebuild(): boolean {
    return this.#needsRebuild;
  }

  async put(entries: readonly SearchEntry[]): Promise<void> {
    const incarnation = this.#db.incarnation.number;
    const spaces = new Map<string, Map<string, SearchEntry>>();
    for (const entry of entries) {
      const own = spaces.get(entry.space) ?? new Map<string, SearchEntry>();
      spaces.set(entry.space, own.set(entry.id, entry));
    }
    for (const [space, own] of spaces) {
      const list = sortByOwner([...own.values()]);
      for (let from = 0; from < list.length; from += numbersAtOnce)
        await this.#putInSpace(space, list.slice(from, from + numbersAtOnce), incarnation);
      this.#mergeSoon(space);
    }
  }

  async #putInSpace(space: string, entries: readonly SearchEntry[], incarnation: number): Promise<void> {
    const row = await this.#db.get<{ first: number }>("SELECT nextval('search_number') AS first");
    const first = row?.first ?? 0;
    const segment = (await this.#worker.run({ kind: 'build', entries, first })) as SegmentParts;
    await this.#write(
      async (tx) => {
        await removeDocuments(
          tx,
          space,
          entries.map((entry) => entry.id),
        );
        await tx.run(sql`INSERT INTO search_document (number, space, id)
          SELECT ${first}::bigint + place - 1, ${space}, id FROM
          jsonb_array_elements_text(${JSON.stringify(entries.map((entry) => entry.id))}::jsonb) WITH ORDINALITY AS
          entry(id, place)`);
        await storeSegment(tx, space, this.#format, segment);
        await bumpSpaceVersion(tx, space);
      },
      this.#writing,
      incarnation,
    );
  }

  /**
   * Runs a write to the index. Throws if the database was replaced since it was read (its incarnation number changed),
   * or if a node of another version has taken over the index. A takeover waits until running writes have ended.
   */
  async #write<Value>(
    body: (tx: Sql) => Promise<Value>,
    lock: string,
    incarnation = this.#db.incarnation.number,
  ): Promise<Value> {
    try {
      return await this.#db.write(null, { lock }, async (tx) => {
        if (incarnation !== this.#db.incarnation.number) throw new Unavailable('the database was put back');
        const state = await tx.get<{ value: string }>("SELECT value FROM search_state WHERE name = 'format' FOR SHARE");
        if (state && state.value !== this.#format) throw new IndexTakenOver(state.value, this.#format);
        return body(tx);
      });
    } catch (error) {
      if (error instanceof IndexTakenOver) this.#needsRebuild = true;
      throw error;
    }
  }

  async remove(space: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#write(async (tx) => {
      await removeDocuments(tx, space, ids);
      await bumpSpaceVersion(tx, space);
    }, this.#writing);
  }

  async clear(space: string): Promise<void> {
    await this.#write(async (tx) => {
      await tx.run(sql`DELETE FROM search_part WHERE segment IN (SELECT number FROM search_segment
        WHERE space = ${space})`);
      await tx.run(sql`DELETE FROM search_segment WHERE space = ${space}`);
      await tx.run(sql`DELETE FROM search_document WHERE space = ${space}`);
      await tx.run(sql`DELETE FROM search_gone WHERE space = ${space}`);
      await bumpSpaceVersion(tx, space);
    }, this.#writing);
  }

  /**
   * Takes the lease for rebuilding the index. Returns `mine` if this node has it now, `elsewhere` if another node has
   * it, and `done` if the index is complete. The lease uses the database's clock and expires if the rebuilding node
   * dies.
   */
  async takeRebuild(): ReturnType<SearchIndex['takeRebuild']> {
    const turn = await this.#db.write(null, { lock: 'search:rebuild' }, async (tx) => {
      const rows = await tx.all<{ name: string; value: string; now: number }>(
        `SELECT name, value, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
           FROM search_state WHERE name IN ('complete', 'rebuilding')`,
      );
      if (rows.some((row) => row.name === 'complete' && row.value === this.#format)) return 'done';
      const lease = rows.find((row) => row.name === 'rebuilding');
      const [holder, until] = lease?.value.split(' ') ?? [];
      const isMine = holder === this.#node;
      if (lease && !isMine && Number(until) > lease.now) return 'elsewhere';
      if (!isMine) {
        // Set the format first. Writers on every node check this row, so the lock on it keeps nodes with another format
        // from writing while the index is cleared.
        await tx.execute(`${insertState} VALUES ('format', ?) ${orUpdateState}`, this.#format);
        for (const table of tables) await tx.execute(`DELETE FROM ${table}`);
        await tx.execute('UPDATE search_space SET version = version + 1');
      }
      await tx.execute(sql`${raw(insertState)} VALUES ('rebuilding', ${this.#node}::text || ' ' || (extract(epoch
        FROM clock_timestamp()) * 1000 + ${rebuildLeaseMs})::bigint) ${raw(orUpdateState)}`);
      return 'mine';
    });
    if (turn === 'done') this.#needsRebuild = false;
    return turn;
  }

  async rebuilt(): Promise<void> {
    await this.#db.write(null, async (tx) => {
      await tx.execute(`${insertState} VALUES ('complete', ?) ${orUpdateState}`, this.#format);
      await tx.execute("DELETE FROM search_state WHERE name = 'rebuilding'");
    });
    this.#needsRebuild = false;
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    return this.#searcher.search(query);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#tidying);
    await this.#merging;
    await this.#worker.close();
    await this.#translator?.close();
  }

  /**
   * Starts merging segments after a batch was written. Each node runs one merge at a time. After a while without
   * writes, small remaining segments are merged too.
   */
  #mergeSoon(space: string): void {
    this.#written.add(space);
    clearTimeout(this.#tidying);
    this.#merging ??= runInBackground('merging the search index', async () => {
      while (!this.#closed && (await this.#merge(space, false)));
    }).finally(() => {
      this.#merging = undefined;
      if (!this.#closed) this.#tidying = runDelayed('tidying the search index', idleMs, () => this.#tidy()).unref();
    });
  }

  #tidy(): void {
    const isIdle = (): boolean => !this.#closed && this.#written.size === 0;
    if (this.#merging) return;
    const spaces = [...this.#written];
    this.#written.clear();
    this.#merging = runInBackground('tidying the search index', async () => {
      for (const space of spaces) while (isIdle() && (await this.#merge(space, true)));
    }).finally(() => {
      this.#merging = undefined;
      // New batches stop the merge before it is complete, so schedule it again for the next idle period.
      if (this.#written.size > 0) for (const space of spaces) this.#mergeSoon(space);
    });
  }

  async #goneIn(sizes: readonly SegmentSize[], gone: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#db.all<{ segment: number; data: Uint8Array }>(
      `SELECT segment, data FROM search_part WHERE part = ? AND segment IN (${numberList})`,
      partNumbers.columns,
      JSON.stringify(sizes.map(({ number }) => number)),
    );
    const columns = new Map(rows.map(({ segment, data }) => [segment, data]));
    return (await this.#worker.run({ kind: 'wear', columns, deleted: gone })) as ReadonlyMap<number, number>;
  }

  async #merge(space: string, isIdle: boolean): Promise<boolean> {
    const incarnation = this.#db.incarnation.number;
    const sizes = await this.#db.all<SegmentSize>(sql`SELECT number, documents, bytes FROM search_segment
      WHERE space = ${space} AND format = ${this.#format}`);
    const gone = await this.#db.all<{ document: number }>(sql`SELECT document FROM search_gone WHERE space = ${space}`);
    const left = new Set(gone.map((row) => row.document));
    const numbers =
      segmentsToMerge(sizes, isIdle) ??
      (exceedsDeleteRatio(sizes, left.size) ? segmentsToCompact(sizes, await this.#goneIn(sizes, left)) : undefined);
    if (!numbers) return false;
    const inputs: { parts: Map<number, Uint8Array>; deleted: Set<number> }[] = [];
    for (const number of numbers) {
      const rows = await this.#db.all<{ part: number; data: Uint8Array }>(sql`SELECT part, data FROM search_part
        WHERE segment = ${number}`);
      if (rows.length === 0) return false;
      inputs.push({ parts: new Map(rows.map((row) => [row.part, row.data])), deleted: left });
    }
    const merged = (await this.#worker.run({ kind: 'merge', inputs })) as MergedSegment;
    return this.#write(
      async (tx) => {
        const list = JSON.stringify(numbers);
        const dropped = await tx.run(`DELETE FROM search_segment WHERE number IN (${numberList})`, list);
        // If another node merged these segments first, throw an error, which rolls back the deletions.
        if (dropped !== numbers.length) throw new MergedElsewhere();
        await tx.run(`DELETE FROM search_part WHERE segment IN (${numberList})`, list);
        await tx.run(`DELETE FROM search_gone WHERE document IN (${numberList})`, JSON.stringify(merged.dropped));
        if (merged.documents > 0) await storeSegment(tx, space, this.#format, merged);
        await bumpSpaceVersion(tx, space);
        return true;
      },
      `search:merge:${space}`,
      incarnation,
    ).catch((error: unknown) => {
      if (error instanceof MergedElsewhere || error instanceof IndexTakenOver) return false;
      throw error;
    });
  }
}

const tables = ['search_part', 'search_segment', 'search_document', 'search_gone'];
const insertState = 'INSERT INTO search_state (name, value)';
const orUpdateState = 'ON CONFLICT (name) DO UPDATE SET value = excluded.value';

class MergedElsewhere extends Error {}

const numberList = 'SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb)';

async function removeDocuments(tx: Sql, space: string, ids: readonly string[]): Promise<void> {
  await tx.run(sql`WITH old AS ( DELETE FROM search_document WHERE space = ${space}
    AND id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    RETURNING number) INSERT INTO search_gone (document, space) SELECT number, ${space} FROM old`);
}

/**
 * Increments the version of a search space, such as `note` or `wiki`. Call it last in a transaction, because it locks
 * the row of the space, and other nodes wait for that row until the commit.
 */
async function bumpSpaceVersion(tx: Sql, space: string): Promise<void> {
  await tx.run(sql`INSERT INTO search_space (space, version) VALUES (${space}, 1) ON CONFLICT (space)
    DO UPDATE SET version = search_space.version + 1`);
}

async function storeSegment(tx: Sql, space: string, format: string, segment: SegmentParts): Promise<void> {
  const { documents, first, last, parts } = segment;
  let bytes = 0;
  for (const data of parts.values()) bytes += data.length;
  const row = await tx.get<{ number: number }>(sql`INSERT INTO search_segment (space, documents, bytes, format, first,
    last) VALUES (${space}, ${documents}, ${bytes}, ${format}, ${first}, ${last}) RETURNING number`);
  let batch: [part: number, data: Uint8Array][] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const places: [part: number, from: number, length: number][] = [];
    let from = 1;
    for (const [part, data] of batch) {
      places.push([part, from, data.length]);
      from += data.length;
    }
    await tx.run(sql`INSERT INTO search_part (segment, part, data)
      SELECT ${row!.number}, (x->>0)::int, substring(${Buffer.concat(batch.map(([, data]) => data))}::bytea
      FROM (x->>1)::int FOR (x->>2)::int) FROM jsonb_array_elements(${JSON.stringify(places)}::jsonb) AS x`);
    batch = [];
    size = 0;
  };
  for (const entry of parts) {
    batch.push(entry);
    size += entry[1].length;
    if (size >= maxAtOnce) await flush();
  }
  if (batch.length > 0) await flush();
}
