import type { Stretch } from './postings.ts';
import type { Collection } from '../query/score.ts';
import type { SegmentColumns } from './segment.ts';
import { seek } from './unit-list.ts';

/** A segment prepared for queries. */
export interface OpenSegment {
  number: number;
  columns: SegmentColumns;
  /** The first token of each block. */
  dictionary: readonly string[];
  /** 1 for each deleted document. */
  gone: Uint8Array | undefined;
  /** Indexes of the deleted documents, ascending. */
  goneAt: Uint32Array;
  /** Prefix sums of the document lengths. */
  lengthsBefore: Float64Array;
}

/** Computes prefix sums of the document lengths; the last entry is the total. */
export function lengthsBefore({ lengths }: SegmentColumns): Float64Array {
  const sums = new Float64Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) sums[i + 1] = sums[i]! + lengths[i]!;
  return sums;
}

export interface Part {
  segment: number;
  part: number;
}

/** Fetches several parts of segments in one call; cached parts need no read. */
export type FetchParts = (wanted: readonly Part[]) => Promise<Uint8Array[]>;

/** Returns the document ranges of these owners; adjacent ranges are merged. */
export function stretchesOf({ owners }: SegmentColumns, wanted: ReadonlySet<string>): Stretch[] {
  if (wanted.size * fewOwners < owners.length) return stretchesOfFew(owners, wanted);
  const stretches: [number, number][] = [];
  let from = 0;
  for (const { name, end } of owners) {
    if (wanted.has(name)) {
      const last = stretches.at(-1);
      if (last && last[1] === from) last[1] = end;
      else stretches.push([from, end]);
    }
    from = end;
  }
  return stretches;
}

/** If a query covers fewer than one in this number of owners, each owner is found by binary search. */
const fewOwners = 16;

function stretchesOfFew(owners: SegmentColumns['owners'], wanted: ReadonlySet<string>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const name of wanted) {
    let low = 0;
    let high = owners.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (owners[middle]!.name < name) low = middle + 1;
      else high = middle;
    }
    if (owners[low]?.name === name) stretches.push([owners[low - 1]?.end ?? 0, owners[low]!.end]);
  }
  return stretches.sort(([one], [other]) => one - other);
}

/** Counts the documents visible to a query and computes their mean length. */
export function collectionOf(segments: readonly OpenSegment[], stretches: readonly (readonly Stretch[])[]): Collection {
  let documents = 0;
  let length = 0;
  // Prefix sums keep the cost independent of the number of documents outside the result.
  segments.forEach(({ columns, goneAt, lengthsBefore: sums }, i) => {
    for (const [from, to] of stretches[i]!) {
      documents += to - from;
      length += sums[to]! - sums[from]!;
      const end = seek(goneAt, 0, goneAt.length, to);
      for (let at = seek(goneAt, 0, end, from); at < end; at++) {
        documents -= 1;
        length -= columns.lengths[goneAt[at]!]!;
      }
    }
  });
  return { documents, meanLength: documents === 0 ? 1 : Math.max(1, length / documents) };
}
