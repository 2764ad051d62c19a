import type { Rect } from '../base/address.ts';
import { foldText } from '../base/compare.ts';
import type { SubSheet } from './objects/sub-sheet.ts';
import { blankTag, errorTag, logicalTag, numberTag, textTag } from '../store/chunk.ts';

export interface SortKey {
  /** Zero-based column of the sub-sheet. */
  readonly col: number;
  readonly descending: boolean;
}

interface KeyColumn {
  /** Sort rank of each cell's type; blanks come last in both directions. */
  readonly kinds: Uint8Array;
  /**
   * Sort key of each cell: its number or, for text, the rank of the text among the texts of the column, so that texts
   * are sorted like numbers.
   */
  readonly nums: Float64Array;
  readonly descending: boolean;
}

/** Rank of each value type in ascending order: numbers, text, booleans, errors, blanks. */
const kindsAscending = new Uint8Array(5);
kindsAscending[numberTag] = 0;
kindsAscending[textTag] = 1;
kindsAscending[logicalTag] = 2;
kindsAscending[errorTag] = 3;
kindsAscending[blankTag] = 4;
const kindsDescending = kindsAscending.map((kind) => (kind === 4 ? 4 : 3 - kind));

/** Index of the 32-bit half of a double that holds sign and exponent; it depends on the machine's byte order. */
const highHalf = new Uint32Array(Float64Array.of(-0).buffer)[1] === 0 ? 0 : 1;

/**
 * Returns the sort order of a rectangle's rows: row `i` gets the content of row `order[i]`, both relative to the
 * rectangle. The order is stable. Blanks come last in both directions. Text is ordered by case-folded code points, the
 * same on every machine.
 *
 * This is a least significant byte radix sort. A sort with a comparison function would be slow until the JavaScript
 * engine has optimized that function, but this one is fast even at the first sort of a process.
 */
export function sortOrder(sheet: SubSheet, rect: Rect, keys: readonly SortKey[]): number[] {
  const rows = rect.bottom - rect.top + 1;
  let order = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) order[i] = i;
  let spare = new Uint32Array(rows);
  const deal = (bytes: Uint8Array, first: number, step: number): void => {
    if (!radixPass(order, spare, bytes, first, step)) return;
    [order, spare] = [spare, order];
  };
  for (const key of keys.toReversed()) {
    const { kinds, nums, descending } = keyColumn(sheet, rect, key);
    const bytes = sortableBytes(nums, descending);
    // Sort by the bytes of the key from the least to the most significant. `highHalf` tells at which end the most
    // significant byte is.
    for (let byte = 0; byte < 8; byte++) deal(bytes, highHalf === 1 ? byte : 7 - byte, 8);
    deal(kinds, 0, 1);
  }
  return Array.from(order);
}

/**
 * Stably sorts the rows listed in `from` into `to` by one byte of their keys. `bytes` contains `step` bytes per row,
 * and `first` is the index of the byte to sort by. Returns false, without sorting, if this byte is the same in all
 * rows.
 */
function radixPass(from: Uint32Array, to: Uint32Array, bytes: Uint8Array, first: number, step: number): boolean {
  const rows = from.length;
  const next = new Uint32Array(256);
  for (let i = first; i < bytes.length; i += step) next[bytes[i] as number]!++;
  let start = 0;
  for (let value = 0; value < 256; value++) {
    const count = next[value] as number;
    if (count === rows) return false;
    next[value] = start;
    start += count;
  }
  for (let i = 0; i < rows; i++) {
    const row = from[i] as number;
    const value = bytes[row * step + first] as number;
    const at = next[value] as number;
    to[at] = row;
    next[value] = at + 1;
  }
  return true;
}

/** Converts doubles in place to bytes whose unsigned order is the numeric order; `descending` reverses it. */
function sortableBytes(nums: Float64Array, descending: boolean): Uint8Array {
  const halves = new Uint32Array(nums.buffer);
  const lowHalf = 1 - highHalf;
  const flip = descending ? 0xffffffff : 0;
  for (let i = 0; i < halves.length; i += 2) {
    const high = halves[i + highHalf] as number;
    const negative = high >>> 31 === 1;
    halves[i + highHalf] = high ^ (negative ? 0xffffffff : 0x80000000) ^ flip;
    halves[i + lowHalf] = (halves[i + lowHalf] as number) ^ (negative ? 0xffffffff : 0) ^ flip;
  }
  return new Uint8Array(nums.buffer);
}

function keyColumn(sheet: SubSheet, rect: Rect, key: SortKey): KeyColumn {
  const rows = rect.bottom - rect.top + 1;
  const tags = new Uint8Array(rows);
  const nums = new Float64Array(rows);
  const { cells } = sheet.sheet;
  cells.eachPiece(key.col, rect.top, rect.bottom, (chunk, from, to, start) => {
    const at = start + from - rect.top;
    tags.set(chunk.tags.subarray(from, to + 1), at);
    nums.set(chunk.nums.subarray(from, to + 1), at);
  });
  if (tags.includes(textTag)) rankTexts(tags, nums, (id) => cells.strings.get(id));
  const kinds = new Uint8Array(rows);
  const kindOf = key.descending ? kindsDescending : kindsAscending;
  for (let i = 0; i < rows; i++) {
    const tag = tags[i] as number;
    kinds[i] = kindOf[tag] as number;
    // All blanks get the same key. Adding 0 turns -0 into 0, so that 0 and -0 are equal.
    nums[i] = tag === blankTag ? 0 : (nums[i] as number) + 0;
  }
  return { kinds, nums, descending: key.descending };
}

/**
 * Replaces each text id in `nums` by the text's rank in the column; texts that are equal after case folding get the
 * same rank.
 */
function rankTexts(tags: Uint8Array, nums: Float64Array, textOf: (id: number) => string): void {
  const folded = new Map<number, string>();
  for (let i = 0; i < tags.length; i++) {
    const id = nums[i] as number;
    if (tags[i] === textTag && !folded.has(id)) folded.set(id, foldText(textOf(id)));
  }
  const ranks = new Map<string, number>();
  for (const text of [...new Set(folded.values())].sort(byCodePoint)) ranks.set(text, ranks.size);
  for (let i = 0; i < tags.length; i++)
    if (tags[i] === textTag) nums[i] = ranks.get(folded.get(nums[i] as number) as string) as number;
}

/** Compares texts by code point. `<` compares UTF-16 code units, which is a different order for surrogate pairs. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}
