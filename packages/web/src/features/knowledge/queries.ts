import { infiniteQueryOptions, useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { cursorPages, fetchAllPages, queryClient, sheaf } from '../../lib/api-client.ts';
import { baseInput, basesInput, folderInput } from '../../lib/first-request-inputs.ts';

type Base = Awaited<ReturnType<typeof sheaf.wiki.search_knowledge_base>>['info_list'][number];
type Listed = Awaited<ReturnType<typeof sheaf.wiki.get_knowledge_list>>;
export type Entry = Listed['knowledge_list'][number];
export type BaseInfo = Awaited<ReturnType<typeof sheaf.wiki.get_knowledge_base>>['infos'][string];

const allBases = async (): Promise<Base[]> =>
  (await fetchAllPages((cursor) => sheaf.wiki.search_knowledge_base(basesInput(cursor)))).flatMap(
    (page) => page.info_list,
  );

export const basesQuery = { queryKey: ['bases'], queryFn: allBases };

export function useBases(): UseQueryResult<Base[]> {
  return useQuery(basesQuery);
}

export function baseQuery(id: string) {
  return {
    queryKey: ['base', id],
    queryFn: async () => (await sheaf.wiki.get_knowledge_base(baseInput(id))).infos[id] ?? null,
  };
}

export function useBase(id: string): UseQueryResult<BaseInfo | null> {
  return useQuery(baseQuery(id));
}

const stillMs = 10_000;
const busyMs = 1000;

export function folderQuery(base: string, folder: string) {
  return infiniteQueryOptions({
    queryKey: ['folder', base, folder],
    queryFn: ({ pageParam }) => sheaf.wiki.get_knowledge_list(folderInput(base, folder, pageParam)),
    ...cursorPages,
  });
}

/**
 * Returns the query for the entries of a folder. It polls often while the text of an entry is being extracted,
 * otherwise rarely.
 */
export function useFolder(base: string, folder: string) {
  return useInfiniteQuery({
    ...folderQuery(base, folder),
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.knowledge_list.some(isProcessing)) ? busyMs : stillMs,
  });
}

/**
 * Fetches the current list entry of an item. Searches the folder whose cached list contains the item, or else the top
 * folder of the knowledge base. Returns null if that folder does not contain the item.
 */
export async function fetchEntry(base: string, id: string): Promise<Entry | null> {
  const find = (pages: readonly Listed[]): Entry | undefined =>
    pages.flatMap((page) => page.knowledge_list).find((entry) => entry.media_id === id);
  const lists = queryClient.getQueriesData<{ pages?: Listed[] }>({ queryKey: ['folder', base] });
  const known = find(lists.flatMap(([, list]) => list?.pages ?? []));
  const pages = await fetchAllPages(
    (cursor) => sheaf.wiki.get_knowledge_list(folderInput(base, known?.parent_folder_id ?? base, cursor)),
    (page) => find([page]) !== undefined,
  );
  return find(pages) ?? null;
}

export async function foldersOf(base: string, folder: string): Promise<Entry[]> {
  const isFolder = (entry: Entry): boolean => entry.folder_id !== undefined;
  const pages = await fetchAllPages(
    (cursor) => sheaf.wiki.get_knowledge_list(folderInput(base, folder, cursor)),
    // Stop at the first page that contains an entry other than a folder, because the server lists folders first.
    (page) => !page.knowledge_list.every(isFolder),
  );
  return pages.flatMap((page) => page.knowledge_list.filter(isFolder));
}

export function isProcessing(entry: Pick<Entry, 'state'>): boolean {
  return entry.state === 'queued' || entry.state === 'parsing';
}

export function entryId(entry: Entry): string {
  return entry.media_id ?? entry.folder_id ?? '';
}

/** Invalidates the cached queries of a knowledge base after a change. */
export async function refreshBase(base: string): Promise<void> {
  await Promise.all(
    ['folder', 'base', 'base-search', 'folders']
      .map((key) => queryClient.invalidateQueries({ queryKey: [key, base] }))
      .concat(queryClient.invalidateQueries({ queryKey: ['bases'] })),
  );
}

/**
 * Converts a link to a stored file into a path on the page's own origin, because the Content Security Policy allows no
 * other origin. Returns other links unchanged.
 */
export function toRelativeFileUrl(link: string): string {
  const { pathname, search } = new URL(link, location.origin);
  return pathname.startsWith('/files/') ? pathname + search : link;
}
