import { sha256 } from '../../lib/hash.ts';
import { buildOutline, splitPassages } from '@sheaf/search/passages/split-passages';
import { quantizeVectors, vectorsToBytes, type QuantizedVectors } from '@sheaf/search/index/quantized-vectors';
import { WorkerThread } from '../../lib/worker-thread.ts';
import { EmbeddingFailed, type Embedder } from '../../ports/embedder.ts';
import type { SearchEntry } from '../../ports/search-index.ts';
import { Unavailable } from '../../ports/availability-errors.ts';
import type { Database, Sql } from '../sql/database.ts';
import { queryInChunks, sql } from '../sql/statement.ts';
import type { IndexTarget } from './indexer.ts';
import type { NearestEntry, VectorRow, VectorTask } from './vector-worker-protocol.ts';

export interface VectorIndexOptions {
  database: Database;
  embedder: Embedder;
  /** Path of the worker thread's bundle, dist/workers/vectors.js. */
  worker: string;
}

/**
 * Maximum number of characters of an entry that are embedded (converted to vectors for search by meaning). It
 * corresponds to a few hundred pages.
 */
const maxEmbeddedLength = 2 ** 20;
const maxPassages = 1000;
/** Maximum number of texts, and of characters, per request to the embedding endpoint. */
const textsAtOnce = 64;
const charsAtOnce = 100_000;
const embedMs = 60_000;
/**
 * Maximum time in milliseconds that a search waits for the embedding of its query. After that, the search compares only
 * words.
 */
const queryEmbedMs = 1500;
/** Time in milliseconds after a failure during which searches do not call the embedding endpoint. */
const failurePauseMs = 10_000;
const maxCachedQueries = 200;
/**
 * Idle time in milliseconds after which the thread that holds the vectors ends. It is long, because reading the vectors
 * again is expensive.
 */
const idleMs = 10 * 60_000;
const nearestMs = 20_000;
const rowsAtOnce = 200;
/**
 * Number of later changes in the same space (a kind of entries, such as notes) after which the row that marks an entry
 * as deleted is removed. Until then, the row tells other nodes of the deletion.
 */
const tombstoneChanges = 10_000;

/**
 * A passage of an entry that is similar in meaning to the query. `from` and `to` are its start and end in the entry's
 * text.
 */
export interface NearestPassage {
  id: string;
  score: number;
  from: number;
  to: number;
}

/** Stores the embedding vectors of passages in the main database. A worker thread compares them with a query. */
export class VectorIndex implements IndexTarget {
  readonly needsRebuild = false;
  readonly #db: Database;
  readonly #embedder: Embedder;
  readonly #thread: WorkerThread;
  readonly #queryCache = new Map<string, QuantizedVectors>();
  #pausedUntil = 0;

  constructor({ database, embedder, worker }: VectorIndexOptions) {
    this.#db = database;
    this.#embedder = embedder;
    this.#thread = new WorkerThread({ name: 'vector thread', script: worker, worker: { execArgv: [] }, idleMs });
  }

  get model(): string {
    return this.#embedder.model;
  }

  /** Weight of the similarity in meaning within the score of a hit. The best score by words counts as 1. */
  get share(): number {
    return this.#embedder.share;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async clear(): Promise<void> {}

  async rebuilt(): Promise<void> {}

  async takeRebuild(): Promise<'done'> {
    return 'done';
  }

  async put(entries: readonly SearchEntry[]): Promise<void> {
    for (const space of new Set(entries.map((entry) => entry.space)))
      await this.#put(
        space,
        entries.filter((entry) => entry.space === space),
      );
  }

  async remove(space: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await deleteVectors(this.#db, space, ids);
  }

  async #put(space: string, entries: readonly SearchEntry[]): Promise<void> {
    const known = new Map(
      (
        await queryInChunks<{ id: string; owner: string; hash: string }>(
          entries.map((entry) => entry.id),
          (list) =>
            this.#db.all(sql`SELECT id, owner, hash FROM search_vector WHERE space = ${space}
              AND model = ${this.#embedder.model} AND id IN (${list})`),
        )
      ).map((row) => [row.id, row]),
    );
    for (const entry of entries) {
      const { texts, places } = textsOf(entry);
      const hash = sha256(JSON.stringify(texts));
      const before = known.get(entry.id);
      if (before?.hash === hash && before.owner === entry.owner) continue;
      if (texts.length === 0) await this.remove(space, [entry.id]);
      else await this.#store(entry, hash, places, quantizeVectors(await this.#vectorsOf(texts)));
    }
  }

  async #store(
    entry: SearchEntry,
    hash: string,
    places: readonly number[][],
    vectors: QuantizedVectors,
  ): Promise<void> {
    const { space, id, owner } = entry;
    const { model } = this.#embedder;
    await this.#db.write(null, { lock: lockOf(space) }, async (tx) => {
      const seq = await nextChange(tx, space);
      await tx.execute(sql`DELETE FROM search_vector WHERE space = ${space} AND id = ${id} AND model <> ${model}`);
      await tx.execute(sql`INSERT INTO search_vector (space, id, model, owner, seq, hash, dimensions, places, data)
        VALUES (${space}, ${id}, ${model}, ${owner}, ${seq}, ${hash}, ${vectors.dimensions}, ${JSON.stringify(places)},
        ${vectorsToBytes(vectors)}) ON CONFLICT (space, id, model)
        DO UPDATE SET owner = excluded.owner, seq = excluded.seq, hash = excluded.hash,
        dimensions = excluded.dimensions, places = excluded.places, data = excluded.data`);
    });
  }

  async #vectorsOf(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    while (vectors.length < texts.length) {
      let to = vectors.length;
      let chars = 0;
      while (to < texts.length && to - vectors.length < textsAtOnce && (chars += texts[to]!.length) <= charsAtOnce)
        to++;
      const batch = texts.slice(vectors.length, Math.max(to, vectors.length + 1));
      try {
        vectors.push(...(await this.#embedder.embed(batch, { as: 'passage', timeoutMs: embedMs })));
      } catch (error) {
        if (error instanceof EmbeddingFailed && isAway(error.why)) throw new Unavailable(awayMessage, error);
        throw error;
      }
    }
    return vectors;
  }

  /**
   * Returns the embedding vector of a query. Returns undefined if the embedding endpoint fails, does not answer in
   * time, or failed shortly before.
   */
  async embedQuery(text: string): Promise<QuantizedVectors | undefined> {
    const kept = this.#queryCache.get(text);
    if (kept) return kept;
    if (performance.now() < this.#pausedUntil) return undefined;
    try {
      const packed = quantizeVectors(await this.#embedder.embed([text], { as: 'query', timeoutMs: queryEmbedMs }));
      if (this.#queryCache.size >= maxCachedQueries) this.#queryCache.delete(this.#queryCache.keys().next().value!);
      this.#queryCache.set(text, packed);
      return packed;
    } catch (error) {
      if (!(error instanceof EmbeddingFailed)) throw error;
      this.#pausedUntil = performance.now() + failurePauseMs;
      return undefined;
    }
  }

  /** Returns the similarity of each given entry to the query. Entries without vectors are left out. */
  async similarities(
    query: QuantizedVectors,
    where: { space: string; owners: readonly string[]; ids: readonly string[] },
  ): Promise<Map<string, number>> {
    const held = `${this.#db.incarnation.number} ${where.space}`;
    await this.#load(where.space, held, where.owners);
    const task: VectorTask = {
      kind: 'nearest',
      query,
      ...where,
      space: held,
      limit: where.ids.length,
      atLeast: undefined,
    };
    const things = await this.#run<NearestEntry[]>(task);
    return new Map(things.map(({ id, score }) => [id, this.#similarity(score)]));
  }

  /**
   * Converts the cosine of two embedding vectors to a similarity from 0 to 1. The model gives unrelated texts the
   * cosine `baseline`, which becomes the similarity 0.
   */
  #similarity(cosine: number): number {
    const { baseline } = this.#embedder;
    return Math.max(0, (cosine - baseline) / (1 - baseline));
  }

  /** Converts a similarity back to a cosine, minus a margin for rounding errors. */
  #cosine(similarity: number): number {
    const { baseline } = this.#embedder;
    return baseline + similarity * (1 - baseline) - 1e-9;
  }

  /**
   * Returns those entries of the owners that are most similar to the query, each with its most similar passage, most
   * similar first. Returns at most `limit` entries and, if `atLeast` is given, only entries with at least this score.
   */
  async nearest(
    query: QuantizedVectors,
    where: { space: string; owners: readonly string[]; limit: number; atLeast: number | undefined },
  ): Promise<NearestPassage[]> {
    const { space, owners } = where;
    // The worker thread holds the vectors under this name. It contains the database's incarnation number, which changes
    // when the database is replaced, so that vectors of the old database are not used.
    const held = `${this.#db.incarnation.number} ${space}`;
    await this.#load(space, held, owners);
    const atLeast = where.atLeast === undefined ? undefined : this.#cosine(where.atLeast);
    const things = await this.#run<NearestEntry[]>({ kind: 'nearest', query, ...where, space: held, atLeast });
    const rows = await queryInChunks<{ id: string; places: string }>(
      things.map((thing) => thing.id),
      (list) =>
        this.#db.all(sql`SELECT id, places FROM search_vector WHERE space = ${space} AND model = ${this.#embedder.model}
          AND id IN (${list})`),
    );
    const places = new Map(rows.map((row) => [row.id, JSON.parse(row.places) as [number, number][]]));
    // Skip hits that were deleted after their vectors were read.
    return things.flatMap(({ id, score, place }) => {
      const [from, to] = places.get(id)?.[place] ?? [];
      return from === undefined || to === undefined ? [] : [{ id, score: this.#similarity(score), from, to }];
    });
  }

  /**
   * Loads the vectors of the owners' entries into the worker thread. If the thread already holds an owner's vectors,
   * loads only the vectors that changed since then.
   */
  async #load(space: string, held: string, owners: readonly string[]): Promise<void> {
    const row = await this.#db.get<{ seq: number }>(sql`SELECT seq FROM search_vector_space WHERE space = ${space}`);
    const seq = row?.seq ?? 0;
    const known = await this.#run<number[]>({ kind: 'known', space: held, owners });
    const stale = owners.filter((_, i) => known[i]! < seq);
    const isNew = new Set(owners.filter((_, i) => known[i] === -1));
    const since = known.reduce((least, one) => (one === -1 ? least : Math.min(least, one)), seq);
    for (const [group, from] of [
      [stale.filter((owner) => isNew.has(owner)), 0],
      [stale.filter((owner) => !isNew.has(owner)), since],
    ] as const) {
      await queryInChunks<never>(group, async (list) => {
        let after = { seq: from, id: '\u{10ffff}' };
        for (;;) {
          const rows = await this.#db.all<VectorRow>(sql`SELECT id, owner, seq, dimensions, data FROM search_vector
            WHERE space = ${space} AND model = ${this.#embedder.model} AND owner IN (${list})
            AND (seq > ${after.seq} OR (seq = ${after.seq} AND id > ${after.id})) ORDER BY seq, id LIMIT ${rowsAtOnce}`);
          const isLast = rows.length < rowsAtOnce;
          await this.#run({
            kind: 'load',
            space: held,
            owners: list.params as string[],
            rows,
            seq: isLast ? seq : undefined,
          });
          if (isLast) return;
          after = rows.at(-1)!;
        }
      });
    }
  }

  #run<Value>(task: VectorTask): Promise<Value> {
    return this.#thread.run<Value>(task, { timeoutMs: nearestMs });
  }
}

const awayMessage = 'the embedding endpoint of this installation does not answer';

/**
 * Returns whether the failure was caused by the embedding endpoint and not by the text. In this case the text can be
 * embedded later.
 */
function isAway(why: EmbeddingFailed['why']): boolean {
  if (why.reason !== 'no_vectors') return why.reason === 'no_answer';
  return why.status >= 500 || [401, 403, 404, 408, 429].includes(why.status);
}

const lockOf = (space: string): string => `search-vectors:${space}`;

/**
 * Returns the next change number of a space (such as `note`). A concurrent caller waits until this transaction ends, so
 * changes are committed in the order of their numbers.
 */
async function nextChange(tx: Sql, space: string): Promise<number> {
  const row = await tx.get<{ seq: number }>(sql`INSERT INTO search_vector_space (space, seq) VALUES (${space}, 1)
    ON CONFLICT (space) DO UPDATE SET seq = search_vector_space.seq + 1 RETURNING seq`);
  return row!.seq;
}

/**
 * Deletes the vectors of entries that were deleted or may no longer be embedded, for all embedding models. The emptied
 * rows remain for a while, so that other nodes notice the deletion.
 */
export async function deleteVectors(database: Database, space: string, ids: readonly string[]): Promise<void> {
  await database.write(null, { lock: lockOf(space) }, async (tx) => {
    const seq = await nextChange(tx, space);
    for (const id of ids)
      await tx.execute(sql`UPDATE search_vector SET seq = ${seq}, hash = '', places = '[]', data = ${new Uint8Array()}
        WHERE space = ${space} AND id = ${id} AND hash <> ''`);
    await tx.execute(sql`DELETE FROM search_vector WHERE space = ${space} AND hash = ''
      AND seq < ${seq - tombstoneChanges}`);
  });
}

/**
 * Returns the texts to embed, and the start and end of each in the entry's body. Each text is a passage, preceded by
 * the entry's title and the headings above the passage. If the body is empty, the only text is the title.
 */
function textsOf({ title, headings, body }: SearchEntry): { texts: string[]; places: number[][] } {
  const looked = body.slice(0, maxEmbeddedLength);
  const passages = splitPassages(looked, buildOutline(looked, headings)).slice(0, maxPassages);
  if (passages.length === 0)
    return title.trim() === '' ? { texts: [], places: [] } : { texts: [title], places: [[0, 0]] };
  return {
    texts: passages.map((one) => [title, ...one.headings, looked.slice(one.from, one.to).trim()].join('\n')),
    places: passages.map((one) => [one.from, one.to]),
  };
}
