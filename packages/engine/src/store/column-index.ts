import { foldText } from '../base/compare.ts';
import { parseNumber } from '../base/parse-number.ts';
import { CellError, type Scalar } from '../base/values.ts';
import type { CellStore } from './cell-store.ts';
import { errorTag, logicalTag, numberTag, textTag } from './chunk.ts';
import { NumberHashMap } from './number-hash-map.ts';

/**
 * Index from values to rows for one column, valid until the column changes. Exact lookups and equality criteria use it.
 */
export class ColumnIndex {
  readonly version: number;
  readonly epoch: number;
  readonly #numbers = new NumberHashMap();
  readonly #texts = new Map<string, number>();
  readonly #others = new Map<number, number>();
  #numeric: boolean | undefined;
  readonly #starts: Int32Array;
  readonly #rows: Int32Array;

  constructor(cells: CellStore, col: number) {
    this.version = cells.version(col);
    this.epoch = cells.epoch;
    let total = 0;
    cells.eachPiece(col, 0, cells.extent - 1, (_chunk, from, to) => {
      total += to - from + 1;
    });
    const keys = new Int32Array(total);
    const at = new Int32Array(total);
    const byString = new Map<number, number>();
    const numbers = this.#numbers;
    let keyCount = 0;
    let count = 0;
    const key = <K>(map: Map<K, number>, value: K): number => {
      let id = map.get(value);
      if (id === undefined) {
        id = keyCount++;
        map.set(value, id);
      }
      return id;
    };
    cells.eachPiece(col, 0, cells.extent - 1, (chunk, from, to, start) => {
      const { tags, nums } = chunk;
      for (let i = from; i <= to; i++) {
        const tag = tags[i];
        const num = nums[i] as number;
        let id: number;
        if (tag === numberTag) {
          id = numbers.add(num, keyCount);
          if (id === keyCount) keyCount++;
        } else if (tag === textTag) {
          const known = byString.get(num);
          if (known === undefined) {
            const text = cells.strings.get(num);
            id = key(this.#texts, foldText(text));
            byString.set(num, id);
          } else id = known;
        } else if (tag === logicalTag || tag === errorTag) id = key(this.#others, tag * 100 + num);
        else continue;
        keys[count] = id;
        at[count] = start + i;
        count++;
      }
    });
    const starts = new Int32Array(keyCount + 1);
    for (let i = 0; i < count; i++) starts[(keys[i] as number) + 1]!++;
    for (let k = 0; k < keyCount; k++) starts[k + 1]! += starts[k] as number;
    const fill = starts.slice();
    const rows = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const place = fill[keys[i] as number]!++;
      rows[place] = at[i] as number;
    }
    this.#starts = starts;
    this.#rows = rows;
  }

  /**
   * True if some text in the column parses as a number. Such a text also matches an equality criterion with a number,
   * but the index does not find it, so callers must then test every cell.
   */
  get numericText(): boolean {
    if (this.#numeric === undefined) {
      this.#numeric = false;
      for (const text of this.#texts.keys()) {
        if (parseNumber(text) === undefined) continue;
        this.#numeric = true;
        break;
      }
    }
    return this.#numeric;
  }

  #keyOf(value: Scalar): number | undefined {
    if (typeof value === 'number') {
      const id = this.#numbers.get(value);
      return id < 0 ? undefined : id;
    }
    if (typeof value === 'string') return this.#texts.get(foldText(value));
    if (typeof value === 'boolean') return this.#others.get(logicalTag * 100 + (value ? 1 : 0));
    return value instanceof CellError ? this.#others.get(errorTag * 100 + value.code) : undefined;
  }

  /**
   * `#rows` lists the rows of each distinct value, one value after the other. Returns the position in `#rows` of the
   * first row at or below `top` that holds the value with the number `key`.
   */
  #lower(key: number, top: number): number {
    let low = this.#starts[key] as number;
    let high = this.#starts[key + 1] as number;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle] as number) < top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the first row in `[top, bottom]` with this value, or -1. */
  first(value: Scalar, top: number, bottom: number): number {
    const key = this.#keyOf(value);
    if (key === undefined) return -1;
    const at = this.#lower(key, top);
    if (at >= (this.#starts[key + 1] as number)) return -1;
    const row = this.#rows[at] as number;
    return row <= bottom ? row : -1;
  }

  /** Returns the rows in `[top, bottom]` with this value, in ascending order. */
  postings(value: number | string, top: number, bottom: number): Int32Array {
    const key = this.#keyOf(value);
    if (key === undefined) return new Int32Array(0);
    const from = this.#lower(key, top);
    const to = Math.min(this.#lower(key, bottom + 1), this.#starts[key + 1] as number);
    return this.#rows.subarray(from, to);
  }
}
