import type { DocRange } from './postings.ts';
import type { CollectionStatistics } from '../query/bm25.ts';
import type { SegmentColumns } from './segment-format.ts';
import { seek } from './term-postings.ts';

/** A segment of the search index, loaded for queries. */
export interface SegmentReader {
  number: number;
  columns: SegmentColumns;
  /**
   * First token of each token block. The tokens of a segment are sorted and stored in blocks; a search in this list
   * finds the block that may contain a token.
   */
  dictionary: readonly string[];
  /** Holds 1 for each deleted document; undefined if no document is deleted. */
  deleted: Uint8Array | undefined;
  /** Indexes of the deleted documents, ascending. */
  deletedIndexes: Uint32Array;
  /** Prefix sums of the document lengths, for the total length of any range of documents. */
  lengthPrefixSums: Float64Array;
  /** Length of the shortest document. */
  minLength: number;
}

/** Returns prefix sums of the document lengths; the last entry is the total. */
export function lengthPrefixSums({ lengths }: SegmentColumns): Float64Array {
  const sums = new Float64Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) sums[i + 1] = sums[i]! + lengths[i]!;
  return sums;
}

export interface PartId {
  segment: number;
  part: number;
}

/** Function that loads several segment parts in one call. Parts that are cached are not read again. */
export type FetchParts = (wanted: readonly PartId[]) => Promise<Uint8Array[]>;

/**
 * Returns the ranges of document indexes that belong to the wanted owners (such as users or knowledge bases). Adjacent
 * ranges are merged.
 */
export function docRangesOf({ owners }: SegmentColumns, wanted: ReadonlySet<string>): DocRange[] {
  if (wanted.size * fewOwners < owners.length) return docRangesOfFew(owners, wanted);
  const docRanges: [number, number][] = [];
  let from = 0;
  for (const { name, end } of owners) {
    if (wanted.has(name)) {
      const last = docRanges.at(-1);
      if (last && last[1] === from) last[1] = end;
      else docRanges.push([from, end]);
    }
    from = end;
  }
  return docRanges;
}

/**
 * If a query searches the documents of less than 1/16 of a segment's owners (users or knowledge bases), each of these
 * owners is found by binary search instead of a pass over all owners.
 */
const fewOwners = 16;

function docRangesOfFew(owners: SegmentColumns['owners'], wanted: ReadonlySet<string>): DocRange[] {
  const docRanges: DocRange[] = [];
  for (const name of wanted) {
    let low = 0;
    let high = owners.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (owners[middle]!.name < name) low = middle + 1;
      else high = middle;
    }
    if (owners[low]?.name === name) docRanges.push([owners[low - 1]?.end ?? 0, owners[low]!.end]);
  }
  return docRanges.sort(([one], [other]) => one - other);
}

/** Counts the documents that a query may see and computes their mean length. */
export function collectionStatistics(
  segments: readonly SegmentReader[],
  docRanges: readonly (readonly DocRange[])[],
): CollectionStatistics {
  let documents = 0;
  let length = 0;
  // Sum up the documents in the ranges and their lengths, without the deleted documents. Prefix sums avoid visiting
  // every document.
  segments.forEach(({ columns, deletedIndexes, lengthPrefixSums: sums }, i) => {
    for (const [from, to] of docRanges[i]!) {
      documents += to - from;
      length += sums[to]! - sums[from]!;
      const end = seek(deletedIndexes, 0, deletedIndexes.length, to);
      for (let at = seek(deletedIndexes, 0, end, from); at < end; at++) {
        documents -= 1;
        length -= columns.lengths[deletedIndexes[at]!]!;
      }
    }
  });
  return { documents, meanLength: documents === 0 ? 1 : Math.max(1, length / documents) };
}
