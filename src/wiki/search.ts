import type { Services } from '../context.ts';
import { highlightPassage, nearPassage } from '../lib/highlight.ts';
import type { ParseOptions } from '../lib/search/query.ts';
import type { SearchHit, SearchMode } from '../ports/search-index.ts';
import type { Folder, Item } from '../ports/wiki-store.ts';
import { WikiReader, type Readable } from './reader.ts';

/** So much of a text is looked at for a passage; the words past it are found all the same. */
const passageReach = 2 ** 21;

export interface Hit {
  item?: Item;
  folder?: Folder;
  passage?: string;
  text?: Readable | undefined;
  match: SearchHit['match'];
  near?: SearchHit['near'];
  /** Where a next page goes on that begins after this hit. */
  place: SearchHit['place'];
}

export interface Hits {
  hits: Hit[];
  /** Where the next page begins; undefined when this is the last. */
  next: SearchHit['place'] | undefined;
  total: number;
  /** Only words were looked at, although meaning was asked for. */
  isKeywordOnly: boolean;
}

type Reach = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

/** Items and folders of the bases that match, best first, with passages. */
export async function searchBases(
  services: Reach,
  baseIds: readonly string[],
  query: string,
  page: {
    after: SearchHit['place'] | undefined;
    limit: number;
    prefix?: boolean | undefined;
    mode?: SearchMode | undefined;
  },
): Promise<Hits> {
  const { hits, total, isKeywordOnly } = await services.search.search({
    space: 'wiki',
    owners: baseIds,
    anywhere: query,
    prefix: page.prefix,
    mode: page.mode,
    order: 'rank',
    after: page.after,
    offset: 0,
    limit: page.limit + 1,
  });
  const shown = hits.slice(0, page.limit);
  return {
    hits: await describe(services, baseIds, shown, query, { prefix: page.prefix }),
    next: hits.length > page.limit ? shown.at(-1)?.place : undefined,
    total,
    isKeywordOnly: isKeywordOnly === true,
  };
}

/** The index may be a moment behind: what is gone, or went where the caller cannot look, is not shown. */
async function describe(
  services: Reach,
  baseIds: readonly string[],
  found: readonly SearchHit[],
  query: string,
  options: ParseOptions,
): Promise<Hit[]> {
  const ids = found.map((hit) => hit.id);
  const allowed = new Set(baseIds);
  const items = (await services.wiki.items.items(ids)).filter(
    (item) => item.deletedAt === null && allowed.has(item.baseId),
  );
  const folders = (await services.wiki.tree.folders(ids)).filter(
    (folder) => folder.deletedAt === null && allowed.has(folder.baseId),
  );
  const texts =
    query.trim() === ''
      ? new Map<string, Readable>()
      : await new WikiReader(services.wiki, services.noteReader).texts(items);
  const itemById = new Map(items.map((item) => [item.id, item]));
  const folderById = new Map(folders.map((folder) => [folder.id, folder]));
  const hits: Hit[] = [];
  for (const { id, match, near, place } of found) {
    const item = itemById.get(id);
    const folder = folderById.get(id);
    if (item) {
      const body = texts.get(id)?.body ?? '';
      const passage =
        body === ''
          ? undefined
          : (highlightPassage(body.slice(0, passageReach), query, undefined, options) ?? nearPassage(body, near));
      hits.push({ item, passage, text: texts.get(id), match, near, place });
      // Others wait while a long text is read.
      if (body.length > 100_000) await new Promise((resolve) => setImmediate(resolve));
    } else if (folder) hits.push({ folder, match, near, place });
  }
  return hits;
}
