import { charge } from '../base/budget.ts';
import { maxRows } from '../base/grid-size.ts';
import { errorOfCode, type CellError, type Totals } from '../base/values.ts';
import type { CellStore } from './cell-store.ts';
import { blankTag, errorTag, numberTag, type Band } from './chunk.ts';

/**
 * Totals of one column from the fixed row `top` to `bottom`, the last row added so far. A longer range with the same
 * top continues from there, so a column of formulas such as SUM(A$1:A1), SUM(A$1:A2) and so on costs one addition per
 * row. Values are added in the same order as in a full sum, so the result is identical.
 */
class ColumnRunningTotals {
  version: number;
  epoch: number;
  readonly top: number;
  bottom: number;
  sum = 0;
  count = 0;
  min = Infinity;
  max = -Infinity;
  filled = 0;
  error: CellError | null = null;

  constructor(version: number, epoch: number, top: number) {
    this.version = version;
    this.epoch = epoch;
    this.top = top;
    this.bottom = top - 1;
  }

  extend(cells: CellStore, col: number, bottom: number): void {
    const band = cells.bandAt(this.bottom + 1);
    if (band && bottom < band.start + band.height) {
      const chunk = band.chunks[col];
      if (chunk)
        this.#add(chunk.tags, chunk.nums, this.bottom + 1 - band.start, Math.min(bottom - band.start, chunk.rows - 1));
    } else {
      cells.eachPiece(col, this.bottom + 1, bottom, (chunk, from, to) => {
        charge(to - from + 1);
        this.#add(chunk.tags, chunk.nums, from, to);
      });
    }
    this.bottom = bottom;
  }

  #add(tags: Uint8Array, nums: Float64Array, from: number, to: number): void {
    let { sum, count, min, max, filled } = this;
    for (let i = from; i <= to; i++) {
      const tag = tags[i];
      if (tag === numberTag) {
        const num = nums[i] as number;
        sum += num;
        count++;
        filled++;
        if (num < min) min = num;
        if (num > max) max = num;
      } else if (tag !== blankTag) {
        filled++;
        if (tag === errorTag && this.error === null) this.error = errorOfCode(nums[i] as number);
      }
    }
    this.sum = sum;
    this.count = count;
    this.min = min;
    this.max = max;
    this.filled = filled;
  }
}

const maxKept = 4096;
/** Up to this many rows, summing directly is cheaper than caching totals. */
const shortRows = 16;
/**
 * If a range is wider than this number of columns, its sum first determines which columns contain cells, in order to
 * skip the empty ones.
 */
const wideColumns = 64;

export class RunningTotals {
  readonly #cells: CellStore;
  readonly #kept = new Map<number, ColumnRunningTotals>();

  constructor(cells: CellStore) {
    this.#cells = cells;
  }

  column(col: number, top: number, bottom: number): Totals {
    const cells = this.#cells;
    const version = cells.version(col);
    const end = Math.min(bottom, cells.extent - 1);
    if (end - top < shortRows) {
      const short = new ColumnRunningTotals(version, cells.epoch, top);
      short.extend(cells, col, end);
      return short;
    }
    const key = col * maxRows + top;
    let running = this.#kept.get(key);
    if (!running || running.version !== version || running.epoch !== cells.epoch || running.bottom > end) {
      running = new ColumnRunningTotals(version, cells.epoch, top);
      if (this.#kept.size >= maxKept) this.#kept.clear();
      this.#kept.set(key, running);
    }
    if (running.bottom < end) running.extend(cells, col, end);
    return running;
  }

  rectangle(top: number, left: number, bottom: number, right: number): Totals {
    const isWide = right - left >= wideColumns;
    if (!isWide && bottom - top < shortRows) {
      const band = this.#cells.bandAt(top);
      if (band && bottom < band.start + band.height) return short(band, top, left, bottom, right);
    }
    if (left === right) return this.column(left, top, bottom);
    const last = isWide ? Math.min(right, this.#cells.width - 1) : right;
    if (left >= last) return this.column(left, top, bottom);
    let sum = 0;
    let count = 0;
    let min = Infinity;
    let max = -Infinity;
    let filled = 0;
    let error: CellError | null = null;
    const present = isWide ? this.#present(top, bottom) : undefined;
    for (let col = left; col <= last; col++) {
      if (present && present[col] === 0) continue;
      const one = this.column(col, top, bottom);
      sum += one.sum;
      count += one.count;
      filled += one.filled;
      if (one.min < min) min = one.min;
      if (one.max > max) max = one.max;
      error ??= one.error;
    }
    return { sum, count, min, max, filled, error };
  }

  /**
   * Returns a flag per column: 1 if it may have content in rows `[top, bottom]`, otherwise 0. With the flags, the sum
   * of a wide range skips empty columns.
   */
  #present(top: number, bottom: number): Uint8Array {
    const cells = this.#cells;
    const found = new Uint8Array(cells.width);
    for (let b = cells.bandIndex(top); b < cells.bands.length; b++) {
      const band = cells.bands[b] as Band;
      if (band.start > bottom) break;
      charge(1 + (band.chunks.length >> 3));
      for (let col = 0; col < band.chunks.length; col++) if (band.chunks[col]) found[col] = 1;
    }
    return found;
  }
}

/**
 * Sums a small range within one band (block of rows) directly. The cells are added column by column, in the same order
 * as in the cached totals, so the result is identical.
 */
function short({ start, chunks }: Band, top: number, left: number, bottom: number, right: number): Totals {
  let sum = 0;
  let count = 0;
  let min = Infinity;
  let max = -Infinity;
  let filled = 0;
  let error: CellError | null = null;
  for (let col = left; col <= right && col < chunks.length; col++) {
    const chunk = chunks[col];
    if (!chunk) continue;
    const { tags, nums } = chunk;
    const last = Math.min(bottom - start, tags.length - 1);
    let part = 0;
    for (let i = top - start; i <= last; i++) {
      const tag = tags[i];
      if (tag === blankTag) continue;
      filled++;
      const num = nums[i] as number;
      if (tag === numberTag) {
        part += num;
        count++;
        if (num < min) min = num;
        if (num > max) max = num;
      } else if (tag === errorTag) error ??= errorOfCode(num);
    }
    sum += part;
  }
  return { sum, count, min, max, filled, error };
}
