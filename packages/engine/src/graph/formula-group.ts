import type { RefPart } from '../formula/reference.ts';
import type { Pattern } from '../formula/formula-pattern.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';

/**
 * States of a formula group in the current recalculation: nothing to calculate, not started, being calculated, and
 * calculated.
 */
const cleanState = 0;
export const pendingState = 1;
export const activeState = 2;
export const doneState = 3;

/**
 * Consecutive formula cells of one column with the same pattern, that is, formulas that differ only in position and
 * constants. Each group is one node of the dependency graph.
 */
export class FormulaGroup {
  readonly sheet: IndexedSheet;
  col: number;
  top: number;
  bottom: number;
  readonly pattern: Pattern;
  alive = true;
  /** First and last row to be recalculated; there are none if `dirtyTop > dirtyBottom`. */
  dirtyTop = 0;
  dirtyBottom = -1;
  /** How often the dirty rows were extended in this recalculation. */
  growths = 0;
  state = cleanState;
  /** Row being calculated while the group is active. */
  cursor = 0;
  /**
   * Discovery index (-1 if not visited) and low link in Tarjan's algorithm, which finds groups that depend on each
   * other.
   */
  order = -1;
  low = -1;
  /**
   * True if the group reads another group whose calculation is waiting for this group, so that both are part of a
   * cycle. Set only for cycles found in nested calculations.
   */
  circular = false;

  constructor(sheet: IndexedSheet, col: number, top: number, bottom: number, pattern: Pattern) {
    this.sheet = sheet;
    this.col = col;
    this.top = top;
    this.bottom = bottom;
    this.pattern = pattern;
  }
}

/** The cells to which one reference of a formula group refers, over all rows of the group. */
export interface Precedent {
  readonly group: FormulaGroup;
  readonly ref: RefPart;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface RowSpan {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns the rows of the group in which the reference `ref` covers any of the rows `top` to `bottom`; undefined if
 * there are none.
 */
export function rowsReading(group: FormulaGroup, ref: RefPart, top: number, bottom: number): RowSpan | undefined {
  let low = group.top;
  let high = group.bottom;
  if (ref.topAbs) {
    if (ref.top > bottom) return undefined;
  } else high = Math.min(high, bottom - ref.top);
  if (ref.bottomAbs) {
    if (ref.bottom < top) return undefined;
  } else low = Math.max(low, top - ref.bottom);
  return low <= high ? { top: low, bottom: high } : undefined;
}

/** Returns the bounding rectangle of the cells that `ref` covers for rows `[top, bottom]` of the group. */
export function coveredRect(
  group: FormulaGroup,
  ref: RefPart,
  top: number,
  bottom: number,
): { top: number; left: number; bottom: number; right: number } {
  return {
    top: ref.topAbs ? ref.top : ref.top + top,
    left: ref.leftAbs ? ref.left : ref.left + group.col,
    bottom: ref.bottomAbs ? ref.bottom : ref.bottom + bottom,
    right: ref.rightAbs ? ref.right : ref.right + group.col,
  };
}
