import { noFrequencies, type Frequencies, type DocRange } from './postings.ts';

/**
 * Documents of one segment that contain a query word in any of its forms, in ascending order, with the weighted
 * frequency of the word in each.
 */
export interface TermPostings {
  documents: Uint32Array;
  counts: Float32Array;
  /** The greatest value in `counts`. */
  maxCount: number;
  /**
   * Which documents contain the word exactly as written in the query: true for all, false for none, or an array with 1
   * for each such document.
   */
  isExact: boolean | Uint8Array;
  length: number;
}

/** Part of a postings list that a query may see: the entries from index `from` (inclusive) to `to` (exclusive). */
export interface PostingsSlice extends TermPostings {
  from: number;
  to: number;
  /** Number of documents in the slice that are not deleted. */
  live: number;
}

export const emptySlice = wholeSlice({ ...noFrequencies, maxCount: 0, isExact: false });

/** Returns a slice that covers the whole postings list. */
export function wholeSlice({ documents, counts, maxCount, isExact, length }: TermPostings): PostingsSlice {
  // List the properties in the same order as `slicePostings` does. The JavaScript engine then gives all slices one
  // internal layout, which it accesses faster.
  return { documents, counts, maxCount, isExact, length, from: 0, to: length, live: length };
}

export function toTermPostings({ documents, counts, length }: Frequencies, exact: Frequencies): TermPostings {
  // Arrays merged from several lists can have unused capacity, which is cut off.
  const isRoomy = documents.length > length;
  return {
    documents: isRoomy ? documents.slice(0, length) : documents,
    counts: isRoomy ? counts.slice(0, length) : counts,
    maxCount: greatestOf(counts, length),
    length,
    isExact: exactFlags(documents, length, exact),
  };
}

function greatestOf(counts: Float32Array, length: number): number {
  let greatest = 0;
  for (let i = 0; i < length; i++) if (counts[i]! > greatest) greatest = counts[i]!;
  return greatest;
}

function exactFlags(documents: Uint32Array, length: number, exact: Frequencies): boolean | Uint8Array {
  if (exact.length === 0) return false;
  if (exact.length === length) return true;
  const flags = new Uint8Array(length);
  for (let i = 0, e = 0; i < length && e < exact.length; i++) {
    if (documents[i] !== exact.documents[e]) continue;
    flags[i] = 1;
    e += 1;
  }
  return flags;
}

/**
 * Returns the first index from `from` on whose document is at least `wanted`, or `to` if there is none before `to`.
 * Doubles its steps until it has passed the index, then uses binary search.
 */
export function seek(documents: Uint32Array, from: number, to: number, wanted: number): number {
  if (from >= to || documents[from]! >= wanted) return from;
  let low = from;
  let step = 1;
  while (low + step < to && documents[low + step]! < wanted) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, to);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (documents[middle]! < wanted) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Restricts the postings of a whole segment to document ranges. For a single range the result shares the list's arrays;
 * several ranges are copied.
 */
export function slicePostings(
  list: TermPostings,
  docRanges: readonly DocRange[],
  gone: Uint8Array | undefined,
  goneAt: Uint32Array,
): PostingsSlice {
  const { documents, counts, maxCount, isExact, length } = list;
  if (length === 0) return emptySlice;
  if (docRanges.length > 1) return copyRanges(list, docRanges, gone);
  const [first, end] = docRanges[0] ?? [0, 0];
  const from = first === 0 ? 0 : seek(documents, 0, length, first);
  const to = documents[length - 1]! < end ? length : seek(documents, from, length, end);
  const live = to - from - countDeletedIn(documents, from, to, gone, goneAt);
  // Copying the properties one by one is several times faster than object spread.
  return { documents, counts, maxCount, isExact, length, from, to, live };
}

/** Cost of one binary search lookup, expressed as the number of documents scanned in the same time. */
const perLookUp = 8;

function countDeletedIn(
  documents: Uint32Array,
  from: number,
  to: number,
  gone: Uint8Array | undefined,
  goneAt: Uint32Array,
): number {
  if (gone === undefined || from === to) return 0;
  let count = 0;
  const first = seek(goneAt, 0, goneAt.length, documents[from]!);
  const end = seek(goneAt, first, goneAt.length, documents[to - 1]! + 1);
  if ((end - first) * perLookUp < to - from) {
    for (let i = first, at = from; i < end; i++) {
      at = seek(documents, at, to, goneAt[i]!);
      if (documents[at] === goneAt[i]) count += 1;
    }
  } else for (let i = from; i < to; i++) count += gone[documents[i]!]!;
  return count;
}

function copyRanges(list: TermPostings, docRanges: readonly DocRange[], gone: Uint8Array | undefined): PostingsSlice {
  const documents = new Uint32Array(list.length);
  const counts = new Float32Array(list.length);
  const flags = typeof list.isExact === 'boolean' ? list.isExact : new Uint8Array(list.length);
  let length = 0;
  let at = 0;
  for (const [first, end] of docRanges) {
    at = seek(list.documents, at, list.length, first);
    for (; at < list.length && list.documents[at]! < end; at++) {
      if (gone?.[list.documents[at]!] === 1) continue;
      documents[length] = list.documents[at]!;
      counts[length] = list.counts[at]!;
      if (typeof flags !== 'boolean') flags[length] = (list.isExact as Uint8Array)[at]!;
      length += 1;
    }
  }
  return { documents, counts, maxCount: list.maxCount, isExact: flags, length, from: 0, to: length, live: length };
}
