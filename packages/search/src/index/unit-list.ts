import { noFrequencies, type Frequencies, type Stretch } from './postings.ts';

/** Where in a segment a word of the question is, in any of its forms: documents in ascending order. */
export interface UnitList {
  documents: Uint32Array;
  counts: Float32Array;
  /** Whether the form that was asked for is there: in all of the documents, in none, or 1 for each that has it. */
  isExact: boolean | Uint8Array;
  length: number;
}

/** The part of a list that a question may find. */
export interface UnitWindow extends UnitList {
  from: number;
  to: number;
  /** How many of its documents are not gone. */
  live: number;
}

export const noWindow: UnitWindow = { ...noFrequencies, isExact: false, from: 0, to: 0, live: 0 };

export function unitListOf({ documents, counts, length }: Frequencies, exact: Frequencies): UnitList {
  // Those that were put together from several are longer than what they hold.
  const isRoomy = documents.length > length;
  return {
    documents: isRoomy ? documents.slice(0, length) : documents,
    counts: isRoomy ? counts.slice(0, length) : counts,
    length,
    isExact: exactIn(documents, length, exact),
  };
}

function exactIn(documents: Uint32Array, length: number, exact: Frequencies): boolean | Uint8Array {
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

/** The first place from `from` on whose document is not before the wanted one; `to` where there is none. In steps that double. */
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

/** Of a list over a whole segment: one stretch is a window on it, of several the documents are copied together. */
export function windowOf(
  list: UnitList,
  stretches: readonly Stretch[],
  gone: Uint8Array | undefined,
  goneAt: Uint32Array,
): UnitWindow {
  const { documents, length } = list;
  if (length === 0) return noWindow;
  if (stretches.length > 1) return copied(list, stretches, gone);
  const [first, end] = stretches[0] ?? [0, 0];
  const from = first === 0 ? 0 : seek(documents, 0, length, first);
  const to = documents[length - 1]! < end ? length : seek(documents, from, length, end);
  return { ...list, from, to, live: to - from - goneIn(documents, from, to, gone, goneAt) };
}

/** Looking a document up costs about as much as passing over so many. */
const perLookUp = 8;

function goneIn(
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

function copied(list: UnitList, stretches: readonly Stretch[], gone: Uint8Array | undefined): UnitWindow {
  const documents = new Uint32Array(list.length);
  const counts = new Float32Array(list.length);
  const flags = typeof list.isExact === 'boolean' ? list.isExact : new Uint8Array(list.length);
  let length = 0;
  let at = 0;
  for (const [first, end] of stretches) {
    at = seek(list.documents, at, list.length, first);
    for (; at < list.length && list.documents[at]! < end; at++) {
      if (gone?.[list.documents[at]!] === 1) continue;
      documents[length] = list.documents[at]!;
      counts[length] = list.counts[at]!;
      if (typeof flags !== 'boolean') flags[length] = (list.isExact as Uint8Array)[at]!;
      length += 1;
    }
  }
  return { documents, counts, isExact: flags, length, from: 0, to: length, live: length };
}
