import type { Rect } from '../base/address.ts';
import { foldText } from '../base/compare.ts';
import type { SubSheet } from './objects/sub-sheet.ts';
import { blankTag, errorTag, logicalTag, numberTag, textTag } from '../store/chunk.ts';

export interface SortKey {
  /** Counted from the sub-sheet's first column. */
  readonly col: number;
  readonly descending: boolean;
}

interface KeyColumn {
  readonly tags: Uint8Array;
  /** For text its rank among those of the column: texts are compared once, not at every comparison. */
  readonly nums: Float64Array;
  readonly descending: boolean;
}

/** Numbers, then text, then booleans, then errors. */
const rankOfTag = new Uint8Array(5);
rankOfTag[numberTag] = 0;
rankOfTag[textTag] = 1;
rankOfTag[logicalTag] = 2;
rankOfTag[errorTag] = 3;

/**
 * The order rows of a rectangle take when sorted: row `i` becomes what row `order[i]` was, both counted from its top.
 * Stable; blanks come last in either direction; text by folded code points, the same on every machine.
 */
export function sortOrder(sheet: SubSheet, rect: Rect, keys: readonly SortKey[]): number[] {
  const rows = rect.bottom - rect.top + 1;
  const columns = keys.map((key) => keyColumn(sheet, rect, key));
  const order = Uint32Array.from({ length: rows }, (_, i) => i);
  order.sort((a, b) => {
    for (const { tags, nums, descending } of columns) {
      const left = tags[a] as number;
      const right = tags[b] as number;
      if (left !== right) {
        if (left === blankTag) return 1;
        if (right === blankTag) return -1;
        const difference = (rankOfTag[left] as number) - (rankOfTag[right] as number);
        return descending ? -difference : difference;
      }
      const difference = (nums[a] as number) - (nums[b] as number);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return a - b;
  });
  return [...order];
}

function keyColumn(sheet: SubSheet, rect: Rect, key: SortKey): KeyColumn {
  const rows = rect.bottom - rect.top + 1;
  const tags = new Uint8Array(rows);
  const nums = new Float64Array(rows);
  const { cells } = sheet.sheet;
  let texts = false;
  cells.eachPiece(key.col, rect.top, rect.bottom, (chunk, from, to, start) => {
    const at = start + from - rect.top;
    tags.set(chunk.tags.subarray(from, to + 1), at);
    nums.set(chunk.nums.subarray(from, to + 1), at);
  });
  for (let i = 0; i < rows; i++) if (tags[i] === textTag) texts = true;
  if (texts) rankTexts(tags, nums, (id) => cells.strings.get(id));
  return { tags, nums, descending: key.descending };
}

/** Puts in place of each text's id its rank among the column's texts; equal when folded means equal rank. */
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

/** `<` compares halves of surrogate pairs; beyond the basic plane that is not the order of code points. */
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
