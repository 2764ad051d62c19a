import { Indexer } from '../adapters/search/indexer.ts';
import { HybridSearch } from '../adapters/search/hybrid-search.ts';
import type { OutboxChange } from '../adapters/search/search-outbox.ts';
import { LazySearchFeed, LazySearchIndex } from '../adapters/search/lazy-index.ts';
import { publishReadyItems } from '../modules/wiki/events.ts';
import { noteSource, sharedNoteSource, wikiSource } from '../modules/wiki/search-sources.ts';
import type { CoreServices } from './core-services.ts';
import { OrphanedVectors, queueAllForEmbedding, queueForEmbedding, openEmbedding } from './open-embedding.ts';
import type { openNotes } from './open-notes.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { openSheets } from './open-sheets.ts';
import type { StorageServices } from './open-storage.ts';
import type { openWiki } from './open-wiki.ts';

type Searched = ReturnType<typeof openNotes> & Awaited<ReturnType<typeof openWiki>> & ReturnType<typeof openSheets>;

/**
 * Opens the search index and the feed that sends changes to it. Both start shortly after the server, or earlier when a
 * caller needs them.
 */
export async function openSearch(
  base: CoreServices,
  storage: StorageServices,
  { notes, noteReader, wiki, wikiReader, sheets, sheetSearch }: Searched,
  opened: ResourceStack,
) {
  const { log } = base;
  const { database, leaseClock: clock, nodes, permissions, activity } = storage;
  const words = new LazySearchIndex(() => storage.openSearch(() => searchFeed.refill()));
  opened.add('the search index', words, () => words.close());
  const loaders = {
    // Also queue the other entries that contain the note's text: knowledge base items that refer to the note, and its
    // entry as a shared note.
    note: async (ids: string[]) => {
      await wiki.items.queueItemsOfNotes(ids);
      await permissions.queueSharedNotes(ids);
      return noteReader.entries(ids);
    },
    shared_note: async (ids: string[]) => {
      const shared = await permissions.sharedNotes(ids);
      const entries = await noteReader.entries(ids.filter((id) => shared.has(id)));
      return entries.map((entry) => ({ ...entry, space: 'shared_note', owner: entry.id }));
    },
    // The next two loaders also queue updates of the copies of spreadsheets in knowledge bases: `wiki` for restored
    // copies whose spreadsheet has changed meanwhile, `sheet` for all copies of a changed spreadsheet.
    wiki: async (ids: string[]) => {
      await wiki.items.queueOutdatedCopies(clock.now(), { items: ids });
      return wikiReader.entries(ids);
    },
    sheet: async (ids: string[]) => {
      await wiki.items.queueOutdatedCopies(clock.now(), { sheets: ids });
      return sheetSearch.entries(ids);
    },
  };
  const lists = {
    note: () => notes.allIds(),
    shared_note: () => permissions.allSharedNotes(),
    wiki: () => wiki.items.allIds(),
    sheet: () => sheets.allIds(),
  };
  // For embedding, replace the loaders that also queue dependent entries by loaders that only read. The loaders of the
  // search index queue the dependent entries already.
  const embedding = await openEmbedding(
    base,
    storage,
    wiki,
    {
      ...loaders,
      note: (ids) => noteReader.entries(ids),
      wiki: (ids) => wikiReader.entries(ids),
      sheet: (ids) => sheetSearch.entries(ids),
    },
    opened,
  );
  const left = new OrphanedVectors(storage);
  const onIndexed = async (space: string, ids: readonly string[]): Promise<void> => {
    if (!embedding) return left.delete(space, ids);
    await queueForEmbedding(database, space, ids);
    embedding.indexer.wake();
  };
  const onFound = async (changes: readonly OutboxChange[]): Promise<void> => {
    const ids = new Set(changes.flatMap(({ id, is_text: isText }) => (isText === 1 ? [id] : [])));
    if (ids.size > 0) await publishReadyItems({ wiki, events: storage.events, log }, [...ids]);
  };
  const follows = { wiki: 'note', shared_note: 'note' };
  const indexer = new Indexer({
    database,
    index: words,
    clock,
    nodes,
    log,
    loaders,
    follows,
    isQuiet: () => activity?.isQuiet ?? false,
    onIndexed,
    onSearchable: onFound,
  });
  const prepare = async (): Promise<void> => {
    await words.opened();
    await indexer.rebuildIfNeeded(lists);
    if (embedding) await queueAllForEmbedding(storage, embedding.vectors.model, lists);
  };
  const search = embedding ? new HybridSearch(words, embedding.vectors) : words;
  const searchFeed = new LazySearchFeed({ indexer, embeddingIndexer: embedding?.indexer, prepare, log });
  database.incarnation.onChange(() => {
    words.reopen();
    left.reset();
    searchFeed.restart();
  });
  opened.add('the search feed', searchFeed, () => searchFeed.stop());
  return {
    search,
    searchFeed,
    embeddingModel: embedding?.vectors.model,
    embeddings: embedding?.endpoint,
    searchSources: [
      wikiSource({ wiki, search, noteReader }),
      noteSource({ search, noteReader, permissions }),
      sharedNoteSource({ search, noteReader, permissions }),
      sheetSearch.source(search),
    ],
  };
}
