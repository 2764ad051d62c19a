import type { Cell, CellRange } from './cell-geometry.ts';

export interface Selection {
  /** The cell that receives typing; always inside `range`. */
  readonly active: Cell;
  /** The latest selected range, of at least one cell. */
  readonly range: CellRange;
  /** Additional selected ranges, in the order of their selection. */
  readonly others: readonly CellRange[];
}

/** Returns all selected ranges in the order of their selection. */
export function selectedRanges({ range, others }: Selection): readonly CellRange[] {
  return [...others, range];
}
