import { Indexer } from '../adapters/search/indexer.ts';
import type { Loader } from '../adapters/search/loading.ts';
import { forgetVectors, VectorIndex } from '../adapters/search/vector-index.ts';
import { noteEmbedding } from '../adapters/sql/search-outbox.ts';
import type { Config } from '../config.ts';
import type { SearchEntry } from '../ports/search-index.ts';
import type { WikiStore } from '../ports/wiki-store.ts';
import { workerScript } from '../worker-script.ts';
import type { Base } from './base.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

export interface Embedding {
  readonly vectors: VectorIndex;
  readonly indexer: Indexer;
  readonly endpoint: EndpointState;
}

/** Whether an endpoint answered the last request. */
export interface EndpointState {
  readonly isUp: boolean;
  /** Rejects with the reason if the endpoint does not answer. */
  check(): Promise<void>;
}

type Lists = Readonly<Record<string, () => Iterable<string> | AsyncIterable<string>>>;

/** Opens the vector store and its indexer, if the owner configured an embedding endpoint. */
export async function openEmbedding(
  { config, log }: Base,
  { database, leaseClock: clock, nodes }: Storage,
  wiki: WikiStore,
  loaders: Readonly<Record<string, Loader>>,
  opened: Opened,
): Promise<Embedding | undefined> {
  const embedder = await openEmbedder(config);
  if (!embedder) return undefined;
  const vectors = new VectorIndex({ database, embedder, worker: workerScript('vectors') });
  opened.add('the vector thread', vectors, () => vectors.close());
  const indexer = new Indexer({
    database,
    index: vectors,
    outbox: 'search_vector_outbox',
    loaders: { ...loaders, wiki: async (ids) => withoutRefused(wiki, await loaders['wiki']!(ids)) },
    clock,
    nodes,
    log,
    // One entry takes as many requests as it has pages; the lease must last long enough that no other node takes it.
    batchSize: 16,
    leaseMs: 15 * 60_000,
    backoffMs: 3000,
    pollMs: 3000,
  });
  return { vectors, indexer, endpoint: embedder };
}

async function openEmbedder(config: Config) {
  if (config.SHEAF_EMBED_URL === undefined) return undefined;
  const { HttpEmbedder } = await import('../adapters/web/embedder.ts');
  return new HttpEmbedder({
    url: config.SHEAF_EMBED_URL,
    key: config.SHEAF_EMBED_KEY,
    model: config.SHEAF_EMBED_MODEL,
  });
}

/** Leaves out entries of bases whose owner does not allow sending to the endpoint, as if they were deleted. */
async function withoutRefused(wiki: WikiStore, entries: readonly SearchEntry[]): Promise<SearchEntry[]> {
  const refused = await wiki.bases.notByMeaning([...new Set(entries.map((entry) => entry.owner))]);
  return entries.filter((entry) => !refused.has(entry.owner));
}

const stateOf = 'SELECT value FROM search_vector_state WHERE name = ?';
const setState =
  'INSERT INTO search_vector_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const listedModel = 'model';
const atOnce = 200;

/** Queues everything for embedding if there are no vectors yet or the model has changed. */
export async function listForEmbedding({ database }: Storage, config: Config, lists: Lists): Promise<void> {
  const model = config.SHEAF_EMBED_MODEL;
  const state = await database.get<{ value: string }>(stateOf, listedModel);
  if (state?.value === model) return;
  for (const [space, ids] of Object.entries(lists)) {
    let chunk: string[] = [];
    const list = (): Promise<void> => {
      const listed = chunk;
      chunk = [];
      return noteEmbeddings(database, space, listed);
    };
    for await (const id of ids()) if (chunk.push(id) >= atOnce) await list();
    if (chunk.length > 0) await list();
  }
  await database.write(null, (tx) => tx.execute(setState, listedModel, model));
}

export function noteEmbeddings(database: Storage['database'], space: string, ids: readonly string[]): Promise<void> {
  return database.write(null, async (tx) => {
    for (const id of ids) await noteEmbedding(tx, space, id);
  });
}

/**
 * Deletes the vectors of entries that change while no endpoint is configured. Once one is configured again, all entries
 * are queued, but unchanged ones are not sent again.
 */
export class LeftVectors {
  readonly #database: Storage['database'];
  #areThere: Promise<boolean> | undefined;

  constructor({ database }: Storage) {
    this.#database = database;
  }

  async forget(space: string, ids: readonly string[]): Promise<void> {
    this.#areThere ??= this.#look();
    if (!(await this.#areThere)) return;
    await forgetVectors(this.#database, space, ids);
    await this.#database.write(null, (tx) => tx.execute(setState, listedModel, ''));
  }

  /** Called when the database was replaced: the new one may hold vectors. */
  lookAgain(): void {
    this.#areThere = undefined;
  }

  async #look(): Promise<boolean> {
    return (await this.#database.get("SELECT 1 AS found FROM search_vector WHERE hash <> '' LIMIT 1")) !== undefined;
  }
}
