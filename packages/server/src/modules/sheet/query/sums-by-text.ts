import { bandRows, numberTag, textTag } from '@sheaf/engine/internal/document';
import { SumAggregate, type Aggregate } from './aggregates.ts';
import type { KeyEncoder, RowGroups } from './group-by.ts';
import type { ColumnBlock } from './row-sources.ts';

/**
 * Maximum number of text ids for which arrays of sums are allocated; it keeps the arrays small. When a row's text has a
 * higher id, `SumsByText` adds no further rows, and its caller looks up the group of each remaining row.
 */
const maxTexts = 65_536;

/**
 * Computes one or two sums grouped by a text column, the most common query on many rows. Equal texts have the same id,
 * so one loop adds each row to the sum with the index of its text id, without a group lookup per row. At the end, the
 * sums are added to the groups.
 */
export class SumsByText {
  readonly #key: ColumnBlock;
  readonly #coder: KeyEncoder;
  readonly #sums: readonly SumAggregate[];
  /** One array of totals per sum, indexed by text id. A total is NaN if the text has not occurred yet. */
  readonly #byId: Float64Array[];
  readonly #seen = new Set<number>();
  #isDisabled = false;

  /**
   * Returns an instance for queries that group by a single column and whose only aggregates are one or two sums of
   * columns. Returns undefined for other queries, such as queries with computed expressions.
   */
  static of(groups: RowGroups, aggregates: readonly Aggregate[]): SumsByText | undefined {
    const [coder, ...others] = groups.encoders;
    if (!coder?.view || others.length > 0 || aggregates.length === 0 || aggregates.length > 2) return undefined;
    const sums = aggregates.filter((one) => one instanceof SumAggregate && one.view !== undefined) as SumAggregate[];
    return sums.length === aggregates.length ? new SumsByText(coder, coder.view, sums) : undefined;
  }

  private constructor(coder: KeyEncoder, key: ColumnBlock, sums: readonly SumAggregate[]) {
    this.#coder = coder;
    this.#key = key;
    this.#sums = sums;
    this.#byId = sums.map(() => new Float64Array(0));
  }

  /**
   * Adds the rows from `from` to `to` to the sums, and calls `open` with the first row of each new text. Returns the
   * first row that it could not add; the caller adds the rows from there on after looking up their groups. Returns `to
   * + 1` if it added all rows.
   */
  add(from: number, to: number, open: (at: number) => void): number {
    if (this.#isDisabled) return from;
    const { tags, nums: keys } = this.#key;
    const first = this.#sums[0]!.view!;
    const second = this.#sums[1]?.view;
    const isDense =
      isAll(tags, from, to, textTag) &&
      isAll(first.tags, from, to, numberTag) &&
      (!second || isAll(second.tags, from, to, numberTag));
    if (!isDense) return from;
    let at = from;
    while (at <= to) {
      const [byId1, byId2] = this.#byId;
      at = second
        ? sumTwo(at, to, keys, first.nums, byId1!, second.nums, byId2!)
        : sumOne(at, to, keys, first.nums, byId1!);
      if (at > to) break;
      const id = keys[at]!;
      if (this.#seen.has(id)) {
        // NaN normally marks a text that has not occurred yet. Here the text has occurred and its sum is NaN, for
        // example inf - inf, so no new group is opened.
        byId1![id]! += first.nums[at]!;
        if (second) byId2![id]! += second.nums[at]!;
        at++;
      } else if (id < maxTexts) {
        open(at);
        this.#addText(id);
      } else {
        this.#isDisabled = true;
        return at;
      }
    }
    return to + 1;
  }

  #addText(id: number): void {
    this.#seen.add(id);
    this.#byId.forEach((known, index) => {
      let sums = known;
      if (id >= known.length) {
        sums = new Float64Array(Math.max(id + 1, known.length * 2)).fill(NaN);
        sums.set(known);
        this.#byId[index] = sums;
      }
      sums[id] = 0;
    });
  }

  finish(groups: number): void {
    const codes = this.#coder.codesById;
    this.#sums.forEach((sum, index) => {
      const sums = sum.sumsFor(groups);
      for (const id of this.#seen) sums[codes[id]!]! += this.#byId[index]![id]!;
    });
  }
}

/** One block per cell type, filled with the tag of that type, for comparing a whole block at once. */
const blocks = Array.from({ length: 8 }, (_, tag) => new Uint8Array(bandRows).fill(tag));

/**
 * Returns whether all cells from `from` to `to` have the type `tag`. A full block is compared as memory, which is
 * faster than a loop.
 */
function isAll(tags: Uint8Array, from: number, to: number, tag: number): boolean {
  if (from === 0 && to === bandRows - 1 && tags.length === bandRows) return Buffer.compare(tags, blocks[tag]!) === 0;
  for (let at = from; at <= to; at++) if (tags[at] !== tag) return false;
  return true;
}

/**
 * Adds rows to two arrays of sums, indexed by the text ids in `keys`. Returns the first row whose text has no sum yet,
 * or `to + 1`. Reads four rows before it writes any sum, because that makes this hot loop faster.
 */
function sumTwo(
  from: number,
  to: number,
  keys: Float64Array,
  nums1: Float64Array,
  sums1: Float64Array,
  nums2: Float64Array,
  sums2: Float64Array,
): number {
  const known = sums1.length;
  let at = from;
  for (; at + 3 <= to; at += 4) {
    const id0 = keys[at]! | 0;
    const id1 = keys[at + 1]! | 0;
    const id2 = keys[at + 2]! | 0;
    const id3 = keys[at + 3]! | 0;
    const a0 = nums1[at]!;
    const a1 = nums1[at + 1]!;
    const a2 = nums1[at + 2]!;
    const a3 = nums1[at + 3]!;
    const b0 = nums2[at]!;
    const b1 = nums2[at + 1]!;
    const b2 = nums2[at + 2]!;
    const b3 = nums2[at + 3]!;
    if (id0 >= known || id1 >= known || id2 >= known || id3 >= known) break;
    const all = sums1[id0]! + sums1[id1]! + sums1[id2]! + sums1[id3]!;
    if (all !== all) break;
    sums1[id0]! += a0;
    sums1[id1]! += a1;
    sums1[id2]! += a2;
    sums1[id3]! += a3;
    sums2[id0]! += b0;
    sums2[id1]! += b1;
    sums2[id2]! += b2;
    sums2[id3]! += b3;
  }
  // Add the remaining rows one by one: fewer than four at the end, or four rows of which one has a text without a sum.
  for (const end = Math.min(to, at + 3); at <= end; at++) {
    const id = keys[at]! | 0;
    if (id >= known || Number.isNaN(sums1[id])) return at;
    sums1[id]! += nums1[at]!;
    sums2[id]! += nums2[at]!;
  }
  return at;
}

function sumOne(from: number, to: number, keys: Float64Array, nums: Float64Array, sums: Float64Array): number {
  const known = sums.length;
  let at = from;
  for (; at <= to; at++) {
    const id = keys[at]! | 0;
    if (id >= known) return at;
    const sum = sums[id]!;
    if (sum !== sum) return at;
    sums[id] = sum + nums[at]!;
  }
  return at;
}
