import { charge } from '../base/budget.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import type { DependencyGraph } from './dependency-graph.ts';
import { pendingState, rowsReading, type FormulaGroup } from './formula-group.ts';
import type { Spills } from './spills.ts';

interface Changed {
  readonly sheet: IndexedSheet;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly source: FormulaGroup | undefined;
}

/**
 * Number of times that the dirty rows of a formula group are extended only to the rows that need it. After that, they
 * are extended to the first or last row of the group at once. Otherwise two groups that depend on each other row by row
 * would extend each other one row at a time.
 */
const maxGrowths = 8;

/** The formula rows to recalculate: those that depend on changed cells. */
export class DirtySet {
  readonly groups: FormulaGroup[] = [];
  readonly #graph: DependencyGraph;
  readonly #spills: Spills;
  readonly #queue: Changed[] = [];

  constructor(graph: DependencyGraph, spills: Spills) {
    this.#graph = graph;
    this.#spills = spills;
  }

  /**
   * Marks rows of a formula group as dirty, and queues the cells that their results fill; `drain` then marks the
   * formulas that read these cells.
   */
  mark(group: FormulaGroup, top: number, bottom: number): void {
    if (group.dirtyBottom < group.dirtyTop) {
      group.dirtyTop = top;
      group.dirtyBottom = bottom;
      group.growths = 0;
      group.state = pendingState;
      this.groups.push(group);
      this.#output(group, top, bottom);
      return;
    }
    if (top >= group.dirtyTop && bottom <= group.dirtyBottom) return;
    let from = Math.min(top, group.dirtyTop);
    let to = Math.max(bottom, group.dirtyBottom);
    if (++group.growths > maxGrowths) {
      if (from < group.dirtyTop) from = group.top;
      if (to > group.dirtyBottom) to = group.bottom;
    }
    const { dirtyTop, dirtyBottom } = group;
    group.dirtyTop = from;
    group.dirtyBottom = to;
    if (from < dirtyTop) this.#output(group, from, dirtyTop - 1);
    if (to > dirtyBottom) this.#output(group, dirtyBottom + 1, to);
  }

  #output(group: FormulaGroup, top: number, bottom: number): void {
    this.#queue.push({ sheet: group.sheet, top, left: group.col, bottom, right: group.col, source: group });
    if (!this.#spills.any(group.sheet.id)) return;
    this.#spills.eachFrom(group.sheet, group.col, top, bottom, (area) =>
      this.#queue.push({ ...area, sheet: group.sheet, source: group }),
    );
  }

  /**
   * Queues cells that changed without a formula being calculated; `drain` then marks the formulas that read these
   * cells.
   */
  changed(sheet: IndexedSheet, top: number, left: number, bottom: number, right: number): void {
    this.#queue.push({ sheet, top, left, bottom, right, source: undefined });
  }

  drain(): void {
    for (let item = this.#queue.pop(); item; item = this.#queue.pop()) {
      const { sheet, top, left, bottom, right, source } = item;
      let readers = 1;
      this.#graph.readers(sheet)?.query(top, left, bottom, right, (precedent) => {
        const { group, ref } = precedent;
        if ((++readers & 255) === 0) charge(256);
        const rows = rowsReading(group, ref, top, bottom);
        if (!rows) return;
        if (group !== source) {
          this.mark(group, rows.top, rows.bottom);
          return;
        }
        // Formulas of the group read other rows of the group, like running totals. Marking row by row would repeat this
        // step for every row, so mark all rows that may depend on the changed ones.
        const up = !ref.bottomAbs && ref.bottom < 0;
        const down = !ref.topAbs && ref.top > 0;
        this.mark(group, up ? rows.top : group.top, down && !up ? rows.bottom : group.bottom);
      });
      charge(readers & 255);
    }
  }

  /** Resets the dirty state of all marked formula groups. Called between recalculation rounds and at the end. */
  clear(): void {
    for (let i = 0; i < this.groups.length; i++) {
      const group = this.groups[i] as FormulaGroup;
      group.dirtyTop = 0;
      group.dirtyBottom = -1;
      group.state = 0;
      group.order = -1;
      group.circular = false;
    }
    this.groups.length = 0;
    this.#queue.length = 0;
  }
}
