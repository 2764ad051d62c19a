import type { SearchHit, SearchIndex } from '../../ports/search-index.ts';

type Search = Pick<SearchIndex, 'search'>;
type Found = Awaited<ReturnType<Search['search']>>;

interface RestrictedSearch {
  /** If the page is short because of `maxRounds`, `stoppedAt` is the position from which the next page continues. */
  search(...query: Parameters<Search['search']>): Promise<Found & { stoppedAt?: SearchHit['place'] | undefined }>;
}

const roundSize = 100;
/**
 * Maximum number of searches for one page. If the filter has removed so many hits that the page is not full after this
 * number, the page stays short.
 */
const maxRounds = 20;

/**
 * Wraps a search so that it returns only hits with the given ids. The total in its result still counts all hits.
 * Callers must request the next page by `after`, not by an offset. If `ids` is undefined, returns the original search.
 */
export function restrictSearchToIds(search: Search, ids: ReadonlySet<string> | undefined): RestrictedSearch {
  if (!ids) return search;
  return {
    async search(query) {
      const hits: SearchHit[] = [];
      let { after } = query;
      for (let round = 1; ; round++) {
        const found = await search.search({ ...query, after, limit: roundSize });
        hits.push(...found.hits.filter((hit) => ids.has(hit.id)));
        after = found.hits.at(-1)?.place;
        const isDone = hits.length >= query.limit || found.hits.length < roundSize;
        if (isDone || round === maxRounds)
          return { ...found, hits: hits.slice(0, query.limit), stoppedAt: isDone ? undefined : after };
      }
    },
  };
}
