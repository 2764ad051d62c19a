import type { Answers, OpenSegment, Statistics } from '../../lib/search/evaluate.ts';
import { partNumbers, readOrders, type OrderColumns } from '../../lib/search/segment.ts';
import type { SearchOrder } from '../../ports/search-index.ts';
import type { SegmentStore } from './segment-store.ts';

export interface Place {
  isAll: boolean;
  score: number;
  modified: number;
  id: string;
}

export interface Page {
  order: SearchOrder;
  after: (Place & { statistics: Statistics }) | undefined;
  offset: number;
  limit: number;
}

/** Below zero where the first comes before the second, by all but their ids; both are places in the list of answers. */
type Compare = (one: number, other: number) => number;

/** A page of the answers in the order asked for, and how many there are in all. */
export async function pageOf(
  answers: Answers,
  segments: readonly OpenSegment[],
  page: Page,
  store: SegmentStore,
): Promise<{ places: Place[]; total: number }> {
  const isRanked = page.order === 'rank' || page.after !== undefined || !answers.isAll.includes(1);
  let shown = new Uint32Array(answers.length);
  for (let i = 0; i < shown.length; i++) shown[i] = i;
  if (!isRanked) shown = shown.filter((at) => answers.isAll[at] === 1);
  const total = shown.length;
  if (page.limit <= 0 || total <= page.offset) return { places: [], total };
  const modified = (at: number): number => segments[answers.segments[at]!]!.columns.modified[answers.documents[at]!]!;
  const compare = isRanked ? byRank(answers, modified) : await byColumn(answers, segments, page.order, modified, store);
  let ties = 0;
  const { after } = page;
  if (after) {
    const isBehind = (at: number): number =>
      Number(after.isAll) - answers.isAll[at]! || after.score - answers.scores[at]! || after.modified - modified(at);
    shown = shown.filter((at) => {
      const side = isBehind(at);
      if (side === 0) ties += 1;
      return side >= 0;
    });
  }
  const count = page.offset + page.limit + ties;
  const isByTime = !isRanked && page.order === 'modified';
  const candidates = isByTime ? firstByNumber(shown, count, (at) => -modified(at)) : firstOf(shown, count, compare);
  const numbers = candidates.map((at) => segments[answers.segments[at]!]!.columns.documents[answers.documents[at]!]!);
  const ids = await store.ids(numbers);
  const places = candidates.flatMap((at, i) => {
    const id = ids.get(numbers[i]!);
    return id === undefined ? [] : [{ at, id }];
  });
  places.sort((one, other) => compare(one.at, other.at) || (one.id < other.id ? -1 : 1));
  const isPassed = ({ at, id }: { at: number; id: string }): boolean =>
    after !== undefined &&
    answers.scores[at] === after.score &&
    modified(at) === after.modified &&
    answers.isAll[at] === Number(after.isAll) &&
    id <= after.id;
  return {
    total,
    places: places
      .filter((place) => !isPassed(place))
      .slice(page.offset, page.offset + page.limit)
      .map(({ at, id }) => ({
        isAll: answers.isAll[at] === 1,
        score: answers.scores[at]!,
        modified: modified(at),
        id,
      })),
  };
}

function byRank({ isAll, scores }: Answers, modified: (at: number) => number): Compare {
  return (one, other) =>
    isAll[other]! - isAll[one]! || scores[other]! - scores[one]! || modified(other) - modified(one);
}

async function byColumn(
  answers: Answers,
  segments: readonly OpenSegment[],
  order: SearchOrder,
  modified: (at: number) => number,
  store: SegmentStore,
): Promise<Compare> {
  if (order === 'modified') return (one, other) => modified(other) - modified(one);
  const parts = await store.parts(segments.map(({ number }) => ({ segment: number, part: partNumbers.orders })));
  const columns: OrderColumns[] = parts.map(readOrders);
  const of = <Value>(read: (column: OrderColumns) => ArrayLike<Value>) => {
    const values = columns.map(read);
    return (at: number): Value => values[answers.segments[at]!]![answers.documents[at]!]!;
  };
  if (order === 'title') {
    const key = of((column) => column.titleKeys);
    return (one, other) => Buffer.compare(key(one), key(other));
  }
  const value = of((column) => (order === 'created' ? column.created : column.sizes));
  return (one, other) => value(other) - value(one);
}

/** The same by one number, the lowest first: numbers sort many times as quickly as whatever is compared by a function. */
function firstByNumber(list: Uint32Array, count: number, number: (at: number) => number): number[] {
  if (count >= list.length) return [...list];
  const keys = Float64Array.from(list, number);
  const last = keys.slice().sort()[count - 1]!;
  return Array.from(list.filter((_, i) => keys[i]! <= last));
}

/** Up to so many are gathered by inserting; more by sorting everything. */
const maxInserted = 128;

/** The first so many, and all that compare like the last of them: only their ids tell these apart. In no order. */
function firstOf(list: Uint32Array, count: number, compare: Compare): number[] {
  if (count >= list.length) return [...list];
  let last: number;
  if (count > maxInserted) last = list.toSorted(compare)[count - 1]!;
  else {
    const kept = [...list.subarray(0, count)].sort(compare);
    for (let i = count; i < list.length; i++) {
      const one = list[i]!;
      if (compare(one, kept[count - 1]!) >= 0) continue;
      let at = count - 1;
      for (; at > 0 && compare(kept[at - 1]!, one) > 0; at--) kept[at] = kept[at - 1]!;
      kept[at] = one;
    }
    last = kept[count - 1]!;
  }
  return Array.from(list.filter((one) => compare(one, last) <= 0));
}
