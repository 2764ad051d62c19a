import { Indexer } from '../adapters/search/indexer.ts';
import { FusedSearchIndex } from '../adapters/search/fused.ts';
import type { Change } from '../adapters/search/outbox.ts';
import { LazyFeed, LazySearchIndex } from '../adapters/search/lazy.ts';
import { tellFound } from '../wiki/news.ts';
import { noteSource, wikiSource } from '../wiki/search-sources.ts';
import type { Base } from './base.ts';
import { LeftVectors, listForEmbedding, noteEmbeddings, openEmbedding } from './embedding.ts';
import type { openNotes } from './notes.ts';
import type { Opened } from './opened.ts';
import type { openSheets } from './sheets.ts';
import type { Storage } from './storage.ts';
import type { openWiki } from './wiki.ts';

type Searched = ReturnType<typeof openNotes> & Awaited<ReturnType<typeof openWiki>> & ReturnType<typeof openSheets>;

/** Opens the search index and its feed of changes, both lazily. */
export async function openSearch(
  base: Base,
  storage: Storage,
  { notes, noteReader, wiki, wikiReader, sheets, sheetSearch }: Searched,
  opened: Opened,
) {
  const { log, config } = base;
  const { database, leaseClock: clock, nodes } = storage;
  const words = new LazySearchIndex(storage.openSearch);
  opened.add('the search index', words, () => words.close());
  const loaders = {
    // A changed note also changes the knowledge base items that show it.
    note: (ids: string[]) => wiki.items.notesChanged(ids).then(() => noteReader.entries(ids)),
    wiki: (ids: string[]) => wikiReader.entries(ids),
    sheet: (ids: string[]) => sheetSearch.entries(ids),
  };
  const lists = {
    note: () => notes.allIds(),
    wiki: () => wiki.items.allIds(),
    sheet: () => sheets.allIds(),
  };
  // The search loader already reports changed notes to the items, so this one does not.
  const embedding = await openEmbedding(
    base,
    storage,
    wiki,
    { ...loaders, note: (ids) => noteReader.entries(ids) },
    opened,
  );
  const left = new LeftVectors(storage);
  const onIndexed = async (space: string, ids: readonly string[]): Promise<void> => {
    if (!embedding) return left.forget(space, ids);
    await noteEmbeddings(database, space, ids);
    embedding.indexer.poke();
  };
  const onFound = async (changes: readonly Change[]): Promise<void> => {
    const ids = new Set(changes.flatMap(({ id, is_text: isText }) => (isText === 1 ? [id] : [])));
    if (ids.size > 0) await tellFound({ wiki, events: storage.events, log }, [...ids]);
  };
  const follows = { wiki: 'note' };
  const indexer = new Indexer({ database, index: words, clock, nodes, log, loaders, follows, onIndexed, onFound });
  const prepare = async (): Promise<void> => {
    await words.opened();
    await indexer.rebuildIfNeeded(lists);
    if (embedding) await listForEmbedding(storage, config, lists);
  };
  const search = embedding ? new FusedSearchIndex(words, embedding.vectors) : words;
  const searchFeed = new LazyFeed({ indexer, behind: embedding?.indexer, prepare, log });
  database.incarnation.onChange(() => {
    words.reopen();
    left.lookAgain();
    searchFeed.restart();
  });
  opened.add('the search feed', searchFeed, () => searchFeed.stop());
  return {
    search,
    searchFeed,
    embeddings: embedding?.endpoint,
    searchSources: [
      wikiSource({ wiki, search, noteReader }),
      noteSource({ search, noteReader }),
      sheetSearch.source(search),
    ],
  };
}
