import type { Services } from '../context.ts';
import { highlightPassage } from '../lib/highlight.ts';
import type { Folder, Item } from '../ports/wiki-store.ts';
import { WikiReader } from './reader.ts';

/** So much of a text is looked at for a passage; the words past it are found all the same. */
const passageReach = 2 ** 21;

export interface Hit {
  item?: Item;
  folder?: Folder;
  passage?: string;
}

export interface Hits {
  hits: Hit[];
  /** Ids as the index gave them, those that are gone meanwhile included. */
  ids: string[];
  total: number;
}

type Reach = Pick<Services, 'wiki' | 'search' | 'noteReader'>;

/** Items and folders of the bases that match, best first, with passages. */
export async function searchBases(
  services: Reach,
  baseIds: readonly string[],
  query: string,
  offset: number,
  limit: number,
): Promise<Hits> {
  const { ids, total } = await services.search.search({
    space: 'wiki',
    owners: baseIds,
    anywhere: query,
    order: 'rank',
    offset,
    limit,
  });
  return { hits: await describe(services, baseIds, ids, query), ids, total };
}

/** The index may be a moment behind: what is gone, or went where the caller cannot look, is not shown. */
async function describe(
  services: Reach,
  baseIds: readonly string[],
  ids: readonly string[],
  query: string,
): Promise<Hit[]> {
  const allowed = new Set(baseIds);
  const items = (await services.wiki.items.items(ids)).filter(
    (item) => item.deletedAt === null && allowed.has(item.baseId),
  );
  const folders = (await services.wiki.tree.folders(ids)).filter(
    (folder) => folder.deletedAt === null && allowed.has(folder.baseId),
  );
  const texts =
    query.trim() === ''
      ? new Map<string, { body: string }>()
      : await new WikiReader(services.wiki, services.noteReader).texts(items);
  const itemById = new Map(items.map((item) => [item.id, item]));
  const folderById = new Map(folders.map((folder) => [folder.id, folder]));
  const hits: Hit[] = [];
  for (const id of ids) {
    const item = itemById.get(id);
    const folder = folderById.get(id);
    if (item) {
      const body = texts.get(id)?.body ?? '';
      hits.push({ item, passage: body === '' ? undefined : highlightPassage(body.slice(0, passageReach), query) });
      // Others wait while a long text is read.
      if (body.length > 100_000) await new Promise((resolve) => setImmediate(resolve));
    } else if (folder) hits.push({ folder });
  }
  return hits;
}
