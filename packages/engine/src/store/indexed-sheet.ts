import { charge } from '../base/budget.ts';
import { sameScalar } from '../base/compare.ts';
import type { NumberBounds, SheetHost } from '../base/indexed-sheet-access.ts';
import { CellStore } from './cell-store.ts';
import { numberTag } from './chunk.ts';
import { ColumnIndex } from './column-index.ts';
import type { StringPool } from './string-pool.ts';
import { RunningTotals } from './running-totals.ts';
import type { Scalar, Totals, VisitCell } from '../base/values.ts';

/** Ranges of up to this many cells are searched linearly, because that is faster than an index. */
const shortSearch = 24;

/** One sub-sheet: its cells and the indexes over them. Formulas read cells through it. */
export class IndexedSheet implements SheetHost {
  readonly id: number;
  name: string;
  readonly cells: CellStore;
  readonly #running: RunningTotals;
  readonly #indexes = new Map<number, ColumnIndex>();
  /**
   * Per column, the number of cells searched linearly since the column last changed. An index of the column is built
   * when this number reaches half of the sub-sheet's row count.
   */
  readonly #searched = new Map<number, { version: number; cells: number }>();
  /** Number of cells read by `walk`. After every 4096 cells, `walk` charges them to the calculation budget at once. */
  #walked = 0;
  #lastKnown = { writes: -1, epoch: -1, row: -1, col: -1 };

  constructor(id: number, name: string, strings: StringPool) {
    this.id = id;
    this.name = name;
    this.cells = new CellStore(strings);
    this.#running = new RunningTotals(this.cells);
  }

  read(row: number, col: number): Scalar {
    return this.cells.read(row, col);
  }

  walk(row: number, col: number): Scalar {
    if ((++this.#walked & 4095) === 0) charge(4096);
    return this.cells.read(row, col);
  }

  eachFilled(top: number, left: number, bottom: number, right: number, visit: VisitCell): boolean {
    return this.cells.eachFilled(top, left, bottom, right, visit);
  }

  totals(top: number, left: number, bottom: number, right: number): Totals {
    return this.#running.rectangle(top, left, bottom, right);
  }

  #last(): { row: number; col: number } {
    const { cells } = this;
    const lastKnown = this.#lastKnown;
    if (lastKnown.writes !== cells.writes || lastKnown.epoch !== cells.epoch) {
      this.#lastKnown = { writes: cells.writes, epoch: cells.epoch, ...cells.last() };
    }
    return this.#lastKnown;
  }

  get lastRow(): number {
    return this.#last().row;
  }

  get lastCol(): number {
    return this.#last().col;
  }

  findExact(top: number, left: number, bottom: number, right: number, needle: Scalar): number {
    if (left === right) {
      const end = Math.min(bottom, this.cells.extent - 1);
      if (end - top >= shortSearch) {
        const index = this.#index(left, end - top);
        if (index) {
          const row = index.first(needle, top, end);
          return row < 0 ? -1 : row - top;
        }
      }
      charge(Math.max(0, end - top));
      for (let row = top; row <= end; row++) if (sameScalar(this.cells.read(row, left), needle)) return row - top;
      return -1;
    }
    const end = Math.min(right, this.lastCol);
    charge(Math.max(0, end - left));
    for (let col = left; col <= end; col++) if (sameScalar(this.cells.read(top, col), needle)) return col - left;
    return -1;
  }

  postings(col: number, top: number, bottom: number, value: number | string): Int32Array | undefined {
    const end = Math.min(bottom, this.cells.extent - 1);
    const index = this.#index(col, end - top);
    if (!index || (typeof value === 'number' && index.numericText)) return undefined;
    return index.postings(value, top, end);
  }

  eachNumberBetween(
    col: number,
    top: number,
    bottom: number,
    bounds: NumberBounds,
    visit: (row: number) => void,
  ): void {
    const { low, high } = bounds;
    this.cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
      const { tags, nums } = chunk;
      for (let i = from; i <= to; i++) {
        const num = nums[i] as number;
        if (num >= low && num <= high && tags[i] === numberTag) visit(start + i);
      }
    });
  }

  /**
   * Returns an index from values to rows of a column. `length` is the number of cells that the caller would otherwise
   * search linearly. Returns undefined, so that the caller searches linearly, until enough cells were searched to
   * justify building the index.
   */
  #index(col: number, length: number): ColumnIndex | undefined {
    const { cells } = this;
    const version = cells.version(col);
    const known = this.#indexes.get(col);
    if (known && known.version === version && known.epoch === cells.epoch) return known;
    let spent = this.#searched.get(col);
    if (!spent || spent.version !== version) {
      spent = { version, cells: 0 };
      this.#searched.set(col, spent);
    }
    spent.cells += length;
    if (spent.cells * 2 < cells.extent) return undefined;
    charge(cells.extent);
    const index = new ColumnIndex(cells, col);
    this.#indexes.set(col, index);
    return index;
  }
}
