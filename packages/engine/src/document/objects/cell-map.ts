import type { Rect } from '../../base/address.ts';
import { maxCols } from '../../base/grid-size.ts';

export interface CellEntry<T> {
  readonly row: number;
  readonly col: number;
  readonly value: T;
}

/** Sparse map from cells to data that few cells have, such as links and rich text. */
export class CellMap<T> {
  #entries = new Map<number, T>();

  get size(): number {
    return this.#entries.size;
  }

  get(row: number, col: number): T | undefined {
    return this.#entries.size === 0 ? undefined : this.#entries.get(row * maxCols + col);
  }

  set(row: number, col: number, value: T): void {
    this.#entries.set(row * maxCols + col, value);
  }

  delete(row: number, col: number): void {
    this.#entries.delete(row * maxCols + col);
  }

  clear(): void {
    this.#entries.clear();
  }

  /**
   * Lists the entries inside `rect`, or all entries if it is not given, in row order and left to right within a row.
   */
  list(rect?: Rect): CellEntry<T>[] {
    const found: CellEntry<T>[] = [];
    for (const [key, value] of this.#entries) {
      const row = Math.floor(key / maxCols);
      const col = key % maxCols;
      if (rect && (row < rect.top || row > rect.bottom || col < rect.left || col > rect.right)) continue;
      found.push({ row, col, value });
    }
    return found.sort((a, b) => a.row - b.row || a.col - b.col);
  }

  /** Moves each entry to the cell that `place` returns; removes the entry if `place` returns undefined. */
  remap(place: (row: number, col: number) => { row: number; col: number } | undefined): void {
    const before = this.#entries;
    this.#entries = new Map();
    for (const [key, value] of before) {
      const to = place(Math.floor(key / maxCols), key % maxCols);
      if (to) this.set(to.row, to.col, value);
    }
  }
}
