import { rankOf, type MatchedDocuments, type QueryStatistics } from '@sheaf/search/query/hit-collector';
import { decodeText } from '@sheaf/search/index/bytes';
import type { SegmentReader, PartId } from '@sheaf/search/index/segment-reader';
import {
  sortColumnsIndex,
  sortColumnsPart,
  readSortColumns,
  textAt,
  type SortColumns,
  type SegmentColumns,
} from '@sheaf/search/index/segment-format';
import type { SearchOrder } from '../../ports/search-index.ts';
import type { SegmentStore } from './segment-store.ts';

export interface HitPosition {
  isAll: boolean;
  score: number;
  modified: number;
  id: string;
}

export interface PageRequest {
  order: SearchOrder;
  changedFrom?: number | undefined;
  changedBefore?: number | undefined;
  after: (HitPosition & { statistics: QueryStatistics }) | undefined;
  offset: number;
  limit: number;
}

/**
 * Comparison function for two hits, given by their indexes in the list of hits. The result is negative if the first hit
 * sorts before the second.
 */
type Compare = (one: number, other: number) => number;

/** Returns one page of the hits in the requested order, and the total number of hits. */
export async function selectPage(
  answers: MatchedDocuments,
  segments: readonly SegmentReader[],
  page: PageRequest,
  store: SegmentStore,
): Promise<{ places: HitPosition[]; total: number }> {
  const isRanked = page.order === 'rank' || page.after !== undefined || !answers.matchesAllTerms.includes(1);
  let shown = hitsToRank(answers);
  if (!isRanked) shown = shown.filter((at) => answers.matchesAllTerms[at] === 1);
  const columnsOf = (at: number): SegmentColumns => segments[answers.segments[at]!]!.columns;
  const modified = (at: number): number => columnsOf(at).modified[answers.documents[at]!]!;
  const { changedFrom, changedBefore } = page;
  if (changedFrom !== undefined || changedBefore !== undefined)
    shown = shown.filter((at) => modified(at) >= (changedFrom ?? 0) && modified(at) < (changedBefore ?? Infinity));
  const total = answers.lowestRank === undefined ? shown.length : answers.total;
  if (page.limit <= 0 || total <= page.offset) return { places: [], total };
  const id = (at: number): Uint8Array => textAt(columnsOf(at).ids, answers.documents[at]!);
  const byKey = isRanked ? byRank(answers, modified) : await byColumn(answers, segments, page.order, modified, store);
  const compare: Compare = (one, other) => byKey(one, other) || Buffer.compare(id(one), id(other));
  const { after } = page;
  if (after) {
    const afterId = Buffer.from(after.id);
    shown = shown.filter((at) => {
      const side =
        Number(after.isAll) - answers.matchesAllTerms[at]! ||
        after.score - answers.scores[at]! ||
        after.modified - modified(at);
      return side === 0 ? Buffer.compare(id(at), afterId) > 0 : side > 0;
    });
  }
  const count = page.offset + page.limit;
  const isByTime = !isRanked && page.order === 'modified';
  const chosen = isByTime
    ? pageByNumber(shown, page.offset, count, (at) => -modified(at), compare)
    : firstOf(shown, count, compare).slice(page.offset);
  return {
    total,
    places: chosen.map((at) => ({
      isAll: answers.matchesAllTerms[at] === 1,
      score: answers.scores[at]!,
      modified: modified(at),
      id: decodeText(id(at)),
    })),
  };
}

/**
 * Returns the indexes of the hits that can be on the requested page: those with at least the rank `lowestRank`, or all
 * hits if it is undefined.
 */
function hitsToRank({ length, lowestRank = 0, scores, matchesAllTerms }: MatchedDocuments): Uint32Array {
  const shown = new Uint32Array(length);
  let count = 0;
  for (let i = 0; i < length; i++) if (rankOf(scores[i]!, matchesAllTerms[i] === 1) >= lowestRank) shown[count++] = i;
  return shown.subarray(0, count);
}

function byRank({ matchesAllTerms, scores }: MatchedDocuments, modified: (at: number) => number): Compare {
  return (one, other) =>
    matchesAllTerms[other]! - matchesAllTerms[one]! || scores[other]! - scores[one]! || modified(other) - modified(one);
}

async function byColumn(
  answers: MatchedDocuments,
  segments: readonly SegmentReader[],
  order: SearchOrder,
  modified: (at: number) => number,
  store: SegmentStore,
): Promise<Compare> {
  if (order === 'modified') return (one, other) => modified(other) - modified(one);
  const { blocks, inBlock, at: places } = await locateSortColumns(answers, segments, store);
  if (order === 'title') {
    const key = (at: number): Uint8Array => textAt(blocks[inBlock[at]!]!.titleKeys, places[at]!);
    return (one, other) => Buffer.compare(key(one), key(other));
  }
  const value = (at: number): number => {
    const { created, sizes } = blocks[inBlock[at]!]!;
    return (order === 'created' ? created : sizes)[places[at]!]!;
  };
  return (one, other) => value(other) - value(one);
}

/**
 * Reads the values by which hits are sorted. A segment stores them in blocks of documents, and only blocks with at
 * least one hit are read. For each hit, `inBlock` is the index of its block in `blocks`, and `at` is its place in that
 * block.
 */
async function locateSortColumns(
  answers: MatchedDocuments,
  segments: readonly SegmentReader[],
  store: SegmentStore,
): Promise<{ blocks: SortColumns[]; inBlock: Uint32Array; at: Uint32Array }> {
  const wanted: PartId[] = [];
  const known = segments.map(() => new Map<number, number>());
  const inBlock = new Uint32Array(answers.length);
  const at = new Uint32Array(answers.length);
  for (let i = 0; i < answers.length; i++) {
    const segment = answers.segments[i]!;
    const place = sortColumnsIndex(answers.documents[i]!);
    let index = known[segment]!.get(place.block);
    if (index === undefined) {
      index = wanted.push({ segment: segments[segment]!.number, part: sortColumnsPart(place.block) }) - 1;
      known[segment]!.set(place.block, index);
    }
    inBlock[i] = index;
    at[i] = place.at;
  }
  return { blocks: (await store.parts(wanted)).map(readSortColumns), inBlock, at };
}

/**
 * Returns the hits from `from` to `to`, sorted by a number in ascending order; `compare` orders hits with equal
 * numbers. Sorting numbers is many times as fast as sorting with a comparison function, so only the hits of the page
 * are compared.
 */
function pageByNumber(
  list: Uint32Array,
  from: number,
  to: number,
  number: (at: number) => number,
  compare: Compare,
): number[] {
  const keys = keysOf(list, number);
  const sorted = to <= maxInserted ? lowestOf(keys, to) : keys.slice().sort();
  const low = sorted[from]!;
  const high = sorted[Math.min(to, list.length) - 1]!;
  const [before, candidates] = between(list, keys, low, high);
  return candidates.sort(compare).slice(from - before, to - before);
}

// Each loop below is in a function of its own. Inside a longer function, V8 would compile the loop while it runs
// and discard the compiled code when the loop ends, at every call.
function keysOf(list: Uint32Array, number: (at: number) => number): Float64Array {
  const keys = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) keys[i] = number(list[i]!);
  return keys;
}

/** Returns how many keys are below `low`, and the hits whose keys are from `low` to `high`. */
function between(list: Uint32Array, keys: Float64Array, low: number, high: number): [number, number[]] {
  let before = 0;
  const found: number[] = [];
  for (let i = 0; i < keys.length; i++) {
    if (keys[i]! < low) before += 1;
    else if (keys[i]! <= high) found.push(list[i]!);
  }
  return [before, found];
}

/** Returns the `count` lowest numbers in ascending order. */
function lowestOf(numbers: Float64Array, count: number): Float64Array {
  const kept = numbers.slice(0, count).sort();
  const last = kept.length - 1;
  for (let i = kept.length; i < numbers.length; i++) {
    const one = numbers[i]!;
    if (one >= kept[last]!) continue;
    let at = last;
    for (; at > 0 && kept[at - 1]! > one; at--) kept[at] = kept[at - 1]!;
    kept[at] = one;
  }
  return kept;
}

/**
 * Maximum number of first elements that are selected by insertion into a short sorted list. For more elements, sorting
 * the whole list is faster.
 */
const maxInserted = 128;

/** Returns the first `count` elements of the list in sort order. */
function firstOf(list: Uint32Array, count: number, compare: Compare): number[] {
  if (count >= list.length || count > maxInserted) return [...list].sort(compare).slice(0, count);
  const kept = [...list.subarray(0, count)].sort(compare);
  for (let i = count; i < list.length; i++) {
    const one = list[i]!;
    if (compare(one, kept[count - 1]!) >= 0) continue;
    let at = count - 1;
    for (; at > 0 && compare(kept[at - 1]!, one) > 0; at--) kept[at] = kept[at - 1]!;
    kept[at] = one;
  }
  return kept;
}
