import { Indexer } from '../adapters/search/indexer.ts';
import { LazyFeed, LazySearchIndex } from '../adapters/search/lazy.ts';
import { noteSource, wikiSource } from '../wiki/search-sources.ts';
import type { Base } from './base.ts';
import type { openNotes } from './notes.ts';
import type { Opened } from './opened.ts';
import type { openSheets } from './sheets.ts';
import type { Storage } from './storage.ts';
import type { openWiki } from './wiki.ts';

type Searched = ReturnType<typeof openNotes> & Awaited<ReturnType<typeof openWiki>> & ReturnType<typeof openSheets>;

/** The index, and what feeds it with what changed. Both are opened when first needed. */
export function openSearch(
  { log }: Base,
  { database, openSearch: open, leaseClock }: Storage,
  { notes, noteReader, wiki, wikiReader, sheets, sheetSearch }: Searched,
  opened: Opened,
) {
  const search = new LazySearchIndex(open);
  opened.add('the search index', search, () => search.close());
  const loaders = {
    // A note that changed also changes the items that show it.
    note: (ids: string[]) => wiki.items.notesChanged(ids).then(() => noteReader.entries(ids)),
    wiki: (ids: string[]) => wikiReader.entries(ids),
    sheet: (ids: string[]) => sheetSearch.entries(ids),
  };
  const indexer = new Indexer({ database, index: search, clock: leaseClock, log, loaders, follows: { wiki: 'note' } });
  const prepare = async (): Promise<void> => {
    await search.opened();
    await indexer.rebuildIfNeeded({
      note: () => notes.allIds(),
      wiki: () => wiki.items.allIds(),
      sheet: () => sheets.allIds(),
    });
  };
  const searchFeed = new LazyFeed({ indexer, prepare, log });
  opened.add('the search feed', searchFeed, () => searchFeed.stop());
  return {
    search,
    searchFeed,
    searchSources: [
      wikiSource({ wiki, search, noteReader }),
      noteSource({ search, noteReader }),
      sheetSearch.source(search),
    ],
  };
}
