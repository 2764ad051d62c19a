import { numberTag, textTag } from '../engine/document.ts';
import { Sum, type Aggregate } from './aggregates.ts';
import type { Coder, Groups } from './groups.ts';
import type { ColumnView } from './rows.ts';

/** One or two sums by a column of texts: what most questions about many rows ask, and all that is done in one loop. */
export interface SumsByText {
  readonly key: ColumnView;
  readonly coder: Coder;
  readonly sums: readonly Sum[];
}

export function sumsByText(groups: Groups, aggregates: readonly Aggregate[]): SumsByText | undefined {
  const [coder, ...others] = groups.coders;
  if (!coder?.view || others.length > 0 || aggregates.length === 0 || aggregates.length > 2) return undefined;
  const sums = aggregates.filter((one) => one instanceof Sum && one.view !== undefined) as Sum[];
  return sums.length === aggregates.length ? { key: coder.view, coder, sums } : undefined;
}

/** Adds rows `from` to `to`, a text that is not known yet through `other`; false where not all are texts and numbers. */
export function addSums(
  { key, coder, sums }: SumsByText,
  groups: Groups,
  from: number,
  to: number,
  other: (at: number) => void,
): boolean {
  const [one, two] = sums;
  const first = one!.view!;
  const second = two?.view;
  const isDense =
    isAll(key.tags, from, to, textTag) &&
    isAll(first.tags, from, to, numberTag) &&
    (!second || isAll(second.tags, from, to, numberTag));
  if (!isDense) return false;
  for (let at = from; at <= to; at++) {
    const sums1 = one!.sumsFor(groups.count);
    at = second
      ? sumTwo(at, to, key.nums, coder.codesById, first.nums, sums1, second.nums, two!.sumsFor(groups.count))
      : sumOne(at, to, key.nums, coder.codesById, first.nums, sums1);
    if (at <= to) other(at);
  }
  return true;
}

/** Eight tags of one kind, read as a number: a small one, never NaN, so that equal bytes are equal numbers. */
const eightOf = Float64Array.from({ length: 8 }, (_, tag) => new Float64Array(new Uint8Array(8).fill(tag).buffer)[0]!);

/** Whether all cells are of one kind, eight at a time. */
function isAll(tags: Uint8Array, from: number, to: number, tag: number): boolean {
  let at = from;
  const offset = tags.byteOffset;
  if (to - from >= 64 && (offset & 7) === 0) {
    for (; (at & 7) !== 0; at++) if (tags[at] !== tag) return false;
    const eights = new Float64Array(tags.buffer, offset, tags.length >>> 3);
    const wanted = eightOf[tag]!;
    const end = (to + 1) >>> 3;
    for (let eight = at >>> 3; eight < end; eight++) if (eights[eight] !== wanted) return false;
    at = Math.max(at, end << 3);
  }
  for (; at <= to; at++) if (tags[at] !== tag) return false;
  return true;
}

/** The loop that a million rows go through, nothing in it but arrays; returns where it stopped. */
function sumTwo(
  from: number,
  to: number,
  keys: Float64Array,
  codes: Int32Array,
  nums1: Float64Array,
  sums1: Float64Array,
  nums2: Float64Array,
  sums2: Float64Array,
): number {
  const known = codes.length;
  let at = from;
  for (; at <= to; at++) {
    const id = keys[at]! | 0;
    if (id >= known) return at;
    const code = codes[id]!;
    if (code < 0) return at;
    sums1[code]! += nums1[at]!;
    sums2[code]! += nums2[at]!;
  }
  return at;
}

function sumOne(
  from: number,
  to: number,
  keys: Float64Array,
  codes: Int32Array,
  nums: Float64Array,
  sums: Float64Array,
): number {
  const known = codes.length;
  let at = from;
  for (; at <= to; at++) {
    const id = keys[at]! | 0;
    if (id >= known) return at;
    const code = codes[id]!;
    if (code < 0) return at;
    sums[code]! += nums[at]!;
  }
  return at;
}
