import { expect, test } from 'vitest';
import { restrictSearchToIds } from '../../src/modules/wiki/restrict-search-to-ids.ts';
import type { SearchHit, SearchQuery, SearchResult } from '../../src/ports/search-index.ts';

test('a page that ends for want of time says where the next one goes on', async () => {
  const all = Array.from({ length: 5000 }, (_, i) => ({ id: `n${i}`, place: [i] }) as unknown as SearchHit);
  const search = async ({ after, limit }: SearchQuery): Promise<SearchResult> => {
    const from = after === undefined ? 0 : Number((after as unknown as number[])[0]) + 1;
    return { hits: all.slice(from, from + limit), total: all.length } as unknown as SearchResult;
  };
  const sifted = restrictSearchToIds({ search }, new Set(['n10', 'n4000']));
  const query: SearchQuery = { space: 'note', owners: ['u'], order: 'rank', offset: 0, limit: 5 };
  const first = await sifted.search(query);
  expect(first.hits.map(({ id }) => id)).toEqual(['n10']);
  const second = await sifted.search({ ...query, after: first.stoppedAt });
  expect([second.hits, second.stoppedAt]).toEqual([[], [3999]]);
  const third = await sifted.search({ ...query, after: second.stoppedAt });
  expect([third.hits.map(({ id }) => id), third.stoppedAt]).toEqual([['n4000'], undefined]);
});
