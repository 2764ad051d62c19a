import type { Cell, CellRange } from './cell-geometry.ts';

export interface Selection {
  /** The cell that receives typing. It is always inside `range`. */
  readonly active: Cell;
  /** The range that was selected last. It contains at least one cell. */
  readonly range: CellRange;
  /** Additional selected ranges, in the order of their selection. */
  readonly others: readonly CellRange[];
}

/** Returns all selected ranges in the order of their selection. */
export function selectedRanges({ range, others }: Selection): readonly CellRange[] {
  return [...others, range];
}
