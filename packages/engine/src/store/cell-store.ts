import { charge } from '../base/budget.ts';
import { CellError, errorOfCode, type Scalar, type VisitCell } from '../base/values.ts';
import {
  bandRows,
  blankTag,
  Band,
  type Chunk,
  errorTag,
  logicalTag,
  numberTag,
  spilledMark,
  textTag,
} from './chunk.ts';
import type { StringPool } from './string-pool.ts';

/**
 * Cell storage of one sub-sheet: a list of bands (blocks of rows), each with one chunk (arrays of cells) per column.
 * Inserting and deleting rows splits and joins bands without visiting the cells below.
 */
export class CellStore {
  readonly strings: StringPool;
  bands: Band[] = [];
  /** Number of rows that the bands cover. */
  extent = 0;
  /**
   * Version of each column, incremented by every write to it. Column indexes (from values to rows) compare it to detect
   * that they are stale.
   */
  readonly versions: number[] = [];
  /** Incremented by every write, so that caches can detect changes. */
  writes = 0;
  /**
   * Incremented by every insertion, deletion or move of rows, columns or cells. Indexes and totals that were computed
   * at another epoch are stale.
   */
  epoch = 0;
  #lastBand: Band | undefined;

  constructor(strings: StringPool) {
    this.strings = strings;
  }

  bandAt(row: number): Band | undefined {
    const last = this.#lastBand;
    if (last && row >= last.start && row < last.start + last.height) return last;
    if (row >= this.extent || row < 0) return undefined;
    const { bands } = this;
    const guess = bands[row >>> 10];
    if (guess && row >= guess.start && row < guess.start + guess.height) {
      this.#lastBand = guess;
      return guess;
    }
    const band = bands[this.bandIndex(row)];
    this.#lastBand = band;
    return band;
  }

  /**
   * Returns the index of the band (block of rows) that contains `row`, or the number of bands if `row` is below all of
   * them.
   */
  bandIndex(row: number): number {
    const { bands } = this;
    if (row >= this.extent) return bands.length;
    let low = 0;
    let high = bands.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((bands[middle] as Band).start <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * Returns the band (block of rows) that contains `row`. If `row` is below all bands, first extends the last band and
   * adds bands at the end.
   */
  ensureBand(row: number): Band {
    while (row >= this.extent) {
      const last = this.bands[this.bands.length - 1];
      if (last && last.height < bandRows) {
        this.extent += bandRows - last.height;
        last.height = bandRows;
      } else {
        this.bands.push(new Band(this.extent, bandRows));
        this.extent += bandRows;
      }
    }
    return this.bandAt(row) as Band;
  }

  chunkFor(row: number, col: number): { chunk: Chunk; index: number } {
    const band = this.ensureBand(row);
    const index = row - band.start;
    return { chunk: band.chunk(col, index), index };
  }

  /** Number of columns that the widest band (block of rows) has chunks for. */
  get width(): number {
    let most = 0;
    for (const band of this.bands) if (band.chunks.length > most) most = band.chunks.length;
    return most;
  }

  touch(col: number): void {
    this.writes++;
    this.versions[col] = (this.versions[col] ?? 0) + 1;
  }

  version(col: number): number {
    return this.versions[col] ?? 0;
  }

  read(row: number, col: number): Scalar {
    const band = this.bandAt(row);
    const chunk = band?.chunks[col];
    if (!band || !chunk) return null;
    const index = row - band.start;
    switch (chunk.tags[index]) {
      case numberTag:
        return chunk.nums[index] as number;
      case textTag:
        return this.strings.get(chunk.nums[index] as number);
      case logicalTag:
        return chunk.nums[index] === 1;
      case errorTag:
        return errorOfCode(chunk.nums[index] as number);
      default:
        return null;
    }
  }

  /** Writes a cell's value; its formula and style are unchanged. */
  write(row: number, col: number, value: Scalar): void {
    const band = this.ensureBand(row);
    const index = row - band.start;
    this.put(band.chunk(col, index), index, value);
    this.touch(col);
  }

  /** Stores a value at index `index` of a chunk. Returns whether the cell's value changed. */
  put(chunk: Chunk, index: number, value: Scalar): boolean {
    let tag = blankTag;
    let num = 0;
    if (typeof value === 'number') {
      tag = numberTag;
      num = value;
    } else if (typeof value === 'string') {
      tag = textTag;
      num = this.strings.intern(value);
    } else if (typeof value === 'boolean') {
      tag = logicalTag;
      num = value ? 1 : 0;
    } else if (value instanceof CellError) {
      tag = errorTag;
      num = value.code;
    }
    if (chunk.tags[index] === tag && chunk.nums[index] === num) return false;
    chunk.tags[index] = tag;
    chunk.nums[index] = num;
    return true;
  }

  formulaId(row: number, col: number): number {
    const band = this.bandAt(row);
    return band?.chunks[col]?.formulas?.[row - band.start] ?? 0;
  }

  setFormulaId(row: number, col: number, id: number): void {
    if (id === 0 && this.formulaId(row, col) === 0) return;
    const { chunk, index } = this.chunkFor(row, col);
    chunk.needFormulas()[index] = id;
  }

  isSpilled(row: number, col: number): boolean {
    return this.formulaId(row, col) === spilledMark;
  }

  styleId(row: number, col: number): number {
    const band = this.bandAt(row);
    return band?.chunks[col]?.styles?.[row - band.start] ?? 0;
  }

  setStyleId(row: number, col: number, id: number): void {
    if (id === 0 && this.styleId(row, col) === 0) return;
    const { chunk, index } = this.chunkFor(row, col);
    chunk.needStyles()[index] = id;
  }

  eachFilled(top: number, left: number, bottom: number, right: number, visit: VisitCell): boolean {
    const end = Math.min(bottom, this.extent - 1);
    for (let b = this.bandIndex(top); b < this.bands.length; b++) {
      const band = this.bands[b] as Band;
      if (band.start > end) break;
      const last = Math.min(right, band.chunks.length - 1);
      const from = Math.max(0, top - band.start);
      const to = Math.min(band.height - 1, end - band.start);
      const present: { chunk: Chunk; col: number }[] = [];
      for (let col = left; col <= last; col++) {
        const chunk = band.chunks[col];
        if (chunk) present.push({ chunk, col });
      }
      if (present.length === 0) continue;
      charge((to - from + 1) * present.length);
      for (let index = from; index <= to; index++) {
        for (const { chunk, col } of present) {
          const tag = chunk.tags[index];
          if (tag === undefined || tag === blankTag) continue;
          const value = this.decode(tag, chunk.nums[index] as number);
          if (value !== null && visit(value, band.start + index - top, col - left) === false) return false;
        }
      }
    }
    return true;
  }

  decode(tag: number, num: number): Scalar {
    switch (tag) {
      case numberTag:
        return num;
      case textTag:
        return this.strings.get(num);
      case logicalTag:
        return num === 1;
      case errorTag:
        return errorOfCode(num);
      default:
        return null;
    }
  }

  /**
   * Calls `visit` for each chunk (cells of the column in one block of rows) that overlaps rows `[top, bottom]`, from
   * top to bottom. `from` and `to` are the first and last overlapping index within the chunk, and `start` is the row of
   * the chunk's index 0.
   */
  eachPiece(
    col: number,
    top: number,
    bottom: number,
    visit: (chunk: Chunk, from: number, to: number, start: number) => void,
  ): void {
    for (let b = this.bandIndex(top); b < this.bands.length; b++) {
      const band = this.bands[b] as Band;
      if (band.start > bottom) return;
      const chunk = band.chunks[col];
      if (!chunk) continue;
      const from = Math.max(0, top - band.start);
      const to = Math.min(chunk.rows - 1, bottom - band.start);
      if (to >= from) visit(chunk, from, to, band.start);
    }
  }

  /** Returns the last row and the last column that hold a value, formula or style; -1 if there are none. */
  last(): { row: number; col: number } {
    let row = -1;
    let col = -1;
    for (let b = this.bands.length - 1; b >= 0; b--) {
      const band = this.bands[b] as Band;
      for (let c = band.chunks.length - 1; c >= 0; c--) {
        if (row >= 0 && c <= col) break;
        const at = band.chunks[c]?.lastRow() ?? -1;
        if (at < 0) continue;
        if (c > col) col = c;
        if (row < 0) {
          for (let other = c; other >= 0; other--) {
            const index = band.chunks[other]?.lastRow() ?? -1;
            if (index >= 0) row = Math.max(row, band.start + index);
          }
        }
      }
    }
    return { row, col };
  }

  invalidate(): void {
    this.#lastBand = undefined;
  }
}
