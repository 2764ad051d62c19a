import { Indexer } from '../adapters/search/indexer.ts';
import type { EntryLoader } from '../adapters/search/load-batch.ts';
import { deleteVectors, VectorIndex } from '../adapters/search/vector-index.ts';
import { InstalledModel } from '../adapters/embedding/installed-model.ts';
import { queueEmbedding } from '../adapters/sql/queue-for-index.ts';
import type { SearchEntry } from '../ports/search-index.ts';
import type { WikiStore } from '../ports/wiki-store.ts';
import { workerScriptPath } from '../worker-script.ts';
import type { CoreServices } from './core-services.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { StorageServices } from './open-storage.ts';

export interface EmbeddingServices {
  readonly vectors: VectorIndex;
  readonly indexer: Indexer;
  readonly endpoint: EndpointState;
}

export interface EndpointState {
  readonly isUp: boolean;
  /** Rejects with the reason if the embedding endpoint did not answer the last request. */
  check(): Promise<void>;
}

type IdSources = Readonly<Record<string, () => Iterable<string> | AsyncIterable<string>>>;

/**
 * Opens the index of embedding vectors for semantic search, and the indexer that keeps it up to date. Returns undefined
 * if neither an embedding endpoint is configured nor a model is installed.
 */
export async function openEmbedding(
  base: CoreServices,
  storage: StorageServices,
  wiki: WikiStore,
  loaders: Readonly<Record<string, EntryLoader>>,
  opened: ResourceStack,
): Promise<EmbeddingServices | undefined> {
  const { log } = base;
  const { database, leaseClock: clock, nodes, activity } = storage;
  const embedder = await openEmbedder(base, storage, opened);
  if (!embedder) return undefined;
  const vectors = new VectorIndex({ database, embedder, worker: workerScriptPath('vectors') });
  opened.add('the vector thread', vectors, () => vectors.close());
  const indexer = new Indexer({
    database,
    index: vectors,
    outbox: 'search_vector_outbox',
    loaders: { ...loaders, wiki: async (ids) => withoutExcludedBases(wiki, await loaders['wiki']!(ids)) },
    clock,
    nodes,
    log,
    // Use a long lease, because embedding a batch may take many requests and no other node should claim its entries
    // meanwhile.
    batchSize: 16,
    leaseMs: 15 * 60_000,
    backoffMs: 3000,
    pollMs: 3000,
    isQuiet: () => activity?.isQuiet ?? false,
  });
  return { vectors, indexer, endpoint: embedder };
}

async function openEmbedder(base: CoreServices, storage: StorageServices, opened: ResourceStack) {
  const { config } = base;
  if (config.SHEAF_EMBED_URL === undefined) return openLocalEmbedder(base, storage, opened);
  const { HttpEmbedder } = await import('../adapters/web/embedder.ts');
  return new HttpEmbedder({
    url: config.SHEAF_EMBED_URL,
    key: config.SHEAF_EMBED_KEY,
    model: config.SHEAF_EMBED_MODEL,
  });
}

/**
 * Opens the model that the operator installed with `sheaf model`. Returns undefined if there is none, or if the package
 * that runs models is not installed.
 */
async function openLocalEmbedder({ log }: CoreServices, { database, blobs }: StorageServices, opened: ResourceStack) {
  const installed = new InstalledModel(database, blobs);
  const record = await installed.record();
  if (!record) return undefined;
  const { isRuntimeInstalled, LocalEmbedder, missingRuntime } = await import('../adapters/embedding/local-embedder.ts');
  if (!isRuntimeInstalled()) {
    log.warn({ model: record.name }, missingRuntime);
    return undefined;
  }
  const worker = workerScriptPath('embedding');
  const embedder = new LocalEmbedder({ record, readFiles: () => installed.readFiles(record), worker });
  opened.add('the embedding thread', embedder, () => embedder.close());
  embedder.preload();
  return embedder;
}

/**
 * Removes entries of knowledge bases for which semantic search is switched off, so that their content is not sent to
 * the embedding endpoint. The indexer then treats these entries as deleted.
 */
async function withoutExcludedBases(wiki: WikiStore, entries: readonly SearchEntry[]): Promise<SearchEntry[]> {
  const refused = await wiki.bases.basesWithoutEmbedding([...new Set(entries.map((entry) => entry.owner))]);
  return entries.filter((entry) => !refused.has(entry.owner));
}

const stateOf = 'SELECT value FROM search_vector_state WHERE name = ?';
const setState =
  'INSERT INTO search_vector_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const queuedModel = 'model';
const atOnce = 200;

/** Queues all entries for embedding, unless this was done before for the same model. */
export async function queueAllForEmbedding(
  { database }: StorageServices,
  model: string,
  lists: IdSources,
): Promise<void> {
  const state = await database.get<{ value: string }>(stateOf, queuedModel);
  if (state?.value === model) return;
  for (const [space, ids] of Object.entries(lists)) {
    let chunk: string[] = [];
    const list = (): Promise<void> => {
      const listed = chunk;
      chunk = [];
      return queueForEmbedding(database, space, listed);
    };
    for await (const id of ids()) if (chunk.push(id) >= atOnce) await list();
    if (chunk.length > 0) await list();
  }
  await database.write(null, (tx) => tx.execute(setState, queuedModel, model));
}

export function queueForEmbedding(
  database: StorageServices['database'],
  space: string,
  ids: readonly string[],
): Promise<void> {
  return database.write(null, async (tx) => {
    for (const id of ids) await queueEmbedding(tx, space, id);
  });
}

/**
 * Deletes the vectors of entries that change while embedding is not available, because these vectors are outdated. When
 * an endpoint is configured or a model is installed again, all entries are queued, but only those without vectors are
 * embedded.
 */
export class OrphanedVectors {
  readonly #database: StorageServices['database'];
  #exist: Promise<boolean> | undefined;

  constructor({ database }: StorageServices) {
    this.#database = database;
  }

  async delete(space: string, ids: readonly string[]): Promise<void> {
    this.#exist ??= this.#check();
    if (!(await this.#exist)) return;
    await deleteVectors(this.#database, space, ids);
    await this.#database.write(null, (tx) => tx.execute(setState, queuedModel, ''));
  }

  /**
   * Forgets whether vectors exist. Called when the database was replaced, because the new database may hold vectors.
   */
  reset(): void {
    this.#exist = undefined;
  }

  async #check(): Promise<boolean> {
    return (await this.#database.get("SELECT 1 AS found FROM search_vector WHERE hash <> '' LIMIT 1")) !== undefined;
  }
}
