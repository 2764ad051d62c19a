import { sha256 } from '../../lib/hash.ts';
import { outlineFrom, passagesOf } from '@sheaf/search/passages/passages';
import { packVectors, toBytes, type PackedVectors } from '@sheaf/search/index/vectors';
import { Thread } from '../../lib/thread.ts';
import { EmbeddingFailed, type Embedder } from '../../ports/embedder.ts';
import type { SearchEntry } from '../../ports/search-index.ts';
import { Unavailable } from '../../ports/unavailable.ts';
import type { Database, Sql } from '../sql/database.ts';
import { inChunks } from '../sql/wiki/rows.ts';
import type { IndexTarget } from './indexer.ts';
import type { NearThing, VectorRow, VectorTask } from './vector-tasks.ts';

export interface VectorIndexOptions {
  database: Database;
  embedder: Embedder;
  /** The bundled worker, dist/workers/vectors.js. */
  worker: string;
}

/** So much of a text is embedded: some hundred pages. */
const reach = 2 ** 20;
const maxPassages = 1000;
/** Texts of one request, and their characters. */
const textsAtOnce = 64;
const charsAtOnce = 100_000;
const embedMs = 60_000;
/** How long a search waits for the vector of its question. */
const questionMs = 1500;
/** A search does not ask an endpoint that has just failed. */
const restMs = 10_000;
const keptQuestions = 200;
/** Vectors in memory outlive pauses between questions; reading them again costs more than keeping them. */
const idleMs = 10 * 60_000;
const nearestMs = 20_000;
const rowsAtOnce = 200;
/** Rows of what is gone are kept for so many changes. */
const goneFor = 10_000;

/** A passage that is near to a question. */
export interface NearPassage {
  id: string;
  score: number;
  from: number;
  to: number;
}

/** Vectors of passages in the main database, and the thread that compares them. */
export class VectorIndex implements IndexTarget {
  readonly needsRebuild = false;
  readonly #db: Database;
  readonly #embedder: Embedder;
  readonly #thread: Thread;
  readonly #questions = new Map<string, PackedVectors>();
  #restsUntil = 0;

  constructor({ database, embedder, worker }: VectorIndexOptions) {
    this.#db = database;
    this.#embedder = embedder;
    this.#thread = new Thread({ name: 'vector thread', script: worker, worker: { execArgv: [] }, idleMs });
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
    await forgetVectors(this.#db, space, ids);
  }

  async #put(space: string, entries: readonly SearchEntry[]): Promise<void> {
    const known = new Map(
      (
        await inChunks<{ id: string; owner: string; hash: string }>(
          entries.map((entry) => entry.id),
          (list, chunk) =>
            this.#db.all(
              `SELECT id, owner, hash FROM search_vector WHERE space = ? AND model = ? AND id IN (${list})`,
              space,
              this.#embedder.model,
              ...chunk,
            ),
        )
      ).map((row) => [row.id, row]),
    );
    for (const entry of entries) {
      const { texts, places } = textsOf(entry);
      const hash = sha256(JSON.stringify(texts));
      const before = known.get(entry.id);
      if (before?.hash === hash && before.owner === entry.owner) continue;
      if (texts.length === 0) await this.remove(space, [entry.id]);
      else await this.#store(entry, hash, places, packVectors(await this.#vectorsOf(texts)));
    }
  }

  async #store(entry: SearchEntry, hash: string, places: readonly number[][], vectors: PackedVectors): Promise<void> {
    const { space, id, owner } = entry;
    const { model } = this.#embedder;
    await this.#db.write(
      null,
      async (tx) => {
        const seq = await nextChange(tx, space);
        await tx.execute('DELETE FROM search_vector WHERE space = ? AND id = ? AND model <> ?', space, id, model);
        await tx.execute(
          `INSERT INTO search_vector (space, id, model, owner, seq, hash, dimensions, places, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (space, id, model) DO UPDATE SET owner = excluded.owner, seq = excluded.seq, hash = excluded.hash,
             dimensions = excluded.dimensions, places = excluded.places, data = excluded.data`,
          space,
          id,
          model,
          owner,
          seq,
          hash,
          vectors.dimensions,
          JSON.stringify(places),
          toBytes(vectors),
        );
      },
      { lock: lockOf(space) },
    );
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
        vectors.push(...(await this.#embedder.embed(batch, { timeoutMs: embedMs })));
      } catch (error) {
        if (error instanceof EmbeddingFailed && isAway(error.why)) throw new Unavailable(awayMessage, error);
        throw error;
      }
    }
    return vectors;
  }

  /** The vector of a question; undefined where the endpoint does not give it in time. */
  async question(text: string): Promise<PackedVectors | undefined> {
    const kept = this.#questions.get(text);
    if (kept) return kept;
    if (performance.now() < this.#restsUntil) return undefined;
    try {
      const packed = packVectors(await this.#embedder.embed([text], { timeoutMs: questionMs }));
      if (this.#questions.size >= keptQuestions) this.#questions.delete(this.#questions.keys().next().value!);
      this.#questions.set(text, packed);
      return packed;
    } catch (error) {
      if (!(error instanceof EmbeddingFailed)) throw error;
      this.#restsUntil = performance.now() + restMs;
      return undefined;
    }
  }

  /** The things of the owners that are nearest to a question, the nearest first: so many, or all that are so near. */
  async nearest(
    query: PackedVectors,
    where: { space: string; owners: readonly string[]; limit: number; atLeast: number | undefined },
  ): Promise<NearPassage[]> {
    const { space, owners } = where;
    // Under a name that says of which database they are: what the thread has of another one is not asked for again.
    const held = `${this.#db.incarnation.number} ${space}`;
    await this.#load(space, held, owners);
    const things = await this.#ask<NearThing[]>({ kind: 'nearest', query, ...where, space: held });
    const rows = await inChunks<{ id: string; places: string }>(
      things.map((thing) => thing.id),
      (list, chunk) =>
        this.#db.all(
          `SELECT id, places FROM search_vector WHERE space = ? AND model = ? AND id IN (${list})`,
          space,
          this.#embedder.model,
          ...chunk,
        ),
    );
    const places = new Map(rows.map((row) => [row.id, JSON.parse(row.places) as [number, number][]]));
    // What is gone meanwhile has no row, or one without places.
    return things.flatMap(({ id, score, place }) => {
      const [from, to] = places.get(id)?.[place] ?? [];
      return from === undefined || to === undefined ? [] : [{ id, score, from, to }];
    });
  }

  /** Brings the thread's knowledge of these owners up to date. */
  async #load(space: string, held: string, owners: readonly string[]): Promise<void> {
    const row = await this.#db.get<{ seq: number }>('SELECT seq FROM search_vector_space WHERE space = ?', space);
    const seq = row?.seq ?? 0;
    const known = await this.#ask<number[]>({ kind: 'known', space: held, owners });
    const stale = owners.filter((_, i) => known[i]! < seq);
    // Those it knows something of need only what is new.
    const isNew = new Set(owners.filter((_, i) => known[i] === -1));
    const since = known.reduce((least, one) => (one === -1 ? least : Math.min(least, one)), seq);
    for (const [group, from] of [
      [stale.filter((owner) => isNew.has(owner)), 0],
      [stale.filter((owner) => !isNew.has(owner)), since],
    ] as const) {
      await inChunks<never>(group, async (list, chunk) => {
        let after = { seq: from, id: '\u{10ffff}' };
        for (;;) {
          const rows = await this.#db.all<VectorRow>(
            `SELECT id, owner, seq, dimensions, data FROM search_vector WHERE space = ? AND model = ? AND owner IN (${list})
               AND (seq > ? OR (seq = ? AND id > ?)) ORDER BY seq, id LIMIT ?`,
            space,
            this.#embedder.model,
            ...chunk,
            after.seq,
            after.seq,
            after.id,
            rowsAtOnce,
          );
          const isLast = rows.length < rowsAtOnce;
          await this.#ask({ kind: 'load', space: held, owners: chunk, rows, seq: isLast ? seq : undefined });
          if (isLast) return [];
          after = rows.at(-1)!;
        }
      });
    }
  }

  #ask<Value>(task: VectorTask): Promise<Value> {
    return this.#thread.ask<Value>(task, { timeoutMs: nearestMs });
  }
}

const awayMessage = 'the embedding endpoint of this installation does not answer';

/** Nothing is wrong with the text: it may be embedded later. */
function isAway(why: EmbeddingFailed['why']): boolean {
  if (why.reason !== 'no_vectors') return why.reason === 'no_answer';
  return why.status >= 500 || [401, 403, 404, 408, 429].includes(why.status);
}

const lockOf = (space: string): string => `search-vectors:${space}`;

/** The number of a change. Whoever takes the next one waits until this one is committed. */
async function nextChange(tx: Sql, space: string): Promise<number> {
  const row = await tx.get<{ seq: number }>(
    `INSERT INTO search_vector_space (space, seq) VALUES (?, 1)
     ON CONFLICT (space) DO UPDATE SET seq = search_vector_space.seq + 1 RETURNING seq`,
    space,
  );
  return row!.seq;
}

/** Empties the rows of what is gone or may no longer be embedded, of every model. */
export async function forgetVectors(database: Database, space: string, ids: readonly string[]): Promise<void> {
  await database.write(
    null,
    async (tx) => {
      const seq = await nextChange(tx, space);
      for (const id of ids)
        await tx.execute(
          "UPDATE search_vector SET seq = ?, hash = '', places = '[]', data = ? WHERE space = ? AND id = ? AND hash <> ''",
          seq,
          new Uint8Array(),
          space,
          id,
        );
      await tx.execute("DELETE FROM search_vector WHERE space = ? AND hash = '' AND seq < ?", space, seq - goneFor);
    },
    { lock: lockOf(space) },
  );
}

/** What is embedded of a thing: each passage with what it stands under. A thing without text is embedded by its title. */
function textsOf({ title, headings, body }: SearchEntry): { texts: string[]; places: number[][] } {
  const looked = body.slice(0, reach);
  const passages = passagesOf(looked, outlineFrom(looked, headings)).slice(0, maxPassages);
  if (passages.length === 0)
    return title.trim() === '' ? { texts: [], places: [] } : { texts: [title], places: [[0, 0]] };
  return {
    texts: passages.map((one) => [title, ...one.headings, looked.slice(one.from, one.to).trim()].join('\n')),
    places: passages.map((one) => [one.from, one.to]),
  };
}
