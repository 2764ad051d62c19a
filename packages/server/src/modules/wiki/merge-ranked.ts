import type { SourceHit } from '../../ports/search-source.ts';

/**
 * Merges the ranked hits of several search sources. Hits that contain all words of the query come before all other
 * hits; within each of these two groups, the highest score comes first. A source that has already supplied `share` hits
 * is used only if all other sources with hits of the group have done so too. Hits are taken only from the front of each
 * list, so that a cursor needs only one position per source. `counts` contains the number of hits taken from each list.
 */
export function mergeRanked(
  lists: readonly SourceHit[][],
  limit: number,
  share: number,
): { taken: SourceHit[]; counts: number[] } {
  const taken: SourceHit[] = [];
  const counts = lists.map(() => 0);
  while (taken.length < limit) {
    const heads = lists.flatMap((found, source) => {
      const head = found[counts[source]!];
      return head ? [{ head, source }] : [];
    });
    const isAny = heads.some(({ head }) => head.match === 'all');
    const best = heads.filter(({ head }) => (head.match === 'all') === isAny);
    const open = best.filter(({ source }) => counts[source]! < share);
    const [first, ...others] = open.length > 0 ? open : best;
    if (!first) break;
    const next = others.reduce((one, other) => (other.head.score > one.head.score ? other : one), first);
    taken.push(next.head);
    counts[next.source]! += 1;
  }
  return { taken, counts };
}
