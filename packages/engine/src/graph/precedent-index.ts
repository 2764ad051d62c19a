import { IntervalList } from './interval-list.ts';
import type { Precedent } from './formula-group.ts';

/** A reference that spans more than this many columns is stored once per sub-sheet, not once per column. */
const wideRange = 16;

/** Index that finds the formulas that refer to given cells of one sub-sheet. */
export class PrecedentIndex {
  readonly #columns = new Map<number, IntervalList>();
  readonly #wide = new IntervalList();
  #anyWide = false;

  add(item: Precedent): void {
    if (item.right - item.left >= wideRange) {
      this.#wide.add(item);
      this.#anyWide = true;
      return;
    }
    for (let col = item.left; col <= item.right; col++) {
      let list = this.#columns.get(col);
      if (!list) {
        list = new IntervalList();
        this.#columns.set(col, list);
      }
      list.add(item);
    }
  }

  /**
   * Visits every reference that overlaps the rectangle. A reference that spans several columns may be visited once per
   * column.
   */
  query(top: number, left: number, bottom: number, right: number, visit: (item: Precedent) => void): void {
    if (right - left > this.#columns.size) {
      for (const [col, list] of this.#columns) if (col >= left && col <= right) list.query(top, bottom, visit);
    } else {
      for (let col = left; col <= right; col++) this.#columns.get(col)?.query(top, bottom, visit);
    }
    if (!this.#anyWide) return;
    this.#wide.query(top, bottom, (item) => {
      if (item.left <= right && item.right >= left) visit(item);
    });
  }
}
