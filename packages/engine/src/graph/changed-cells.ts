import { RowRangeSet, type MovedRange } from './row-range-set.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';

/** Collects the cells written since the last recalculation. */
export class ChangedCells {
  readonly #bySheet = new Map<IndexedSheet, RowRangeSet>();

  add(sheet: IndexedSheet, col: number, top: number, bottom: number): void {
    let spans = this.#bySheet.get(sheet);
    if (!spans) {
      spans = new RowRangeSet();
      this.#bySheet.set(sheet, spans);
    }
    spans.add(col, top, bottom);
  }

  drain(visit: (sheet: IndexedSheet, col: number, top: number, bottom: number) => void): void {
    this.#bySheet.forEach((spans, sheet) => spans.drain((col, top, bottom) => visit(sheet, col, top, bottom)));
  }

  remap(sheet: IndexedSheet, move: (col: number, top: number, bottom: number) => MovedRange | undefined): void {
    this.#bySheet.get(sheet)?.remap(move);
  }

  removeSheet(sheet: number): void {
    for (const one of this.#bySheet.keys()) if (one.id === sheet) this.#bySheet.delete(one);
  }

  clear(): void {
    this.#bySheet.clear();
  }
}
