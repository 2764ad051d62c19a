import type { SourceHit } from '../../ports/search-source.ts';

/**
 * Merges the ranked lists of several sources. Hits that contain all words of the query come first; hits of the same
 * kind are ordered by score. A source gets more than `share` hits only if no other source has a hit of that kind. Each
 * list is consumed from its front, so that a cursor needs one position per source.
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
