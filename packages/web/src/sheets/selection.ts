import type { Cell, CellRange } from './geometry.ts';

export interface Selection {
  /** The cell that typing goes to; always inside `range`. */
  readonly active: Cell;
  /** What is selected; one cell at least. */
  readonly range: CellRange;
  /** Ranges that were selected before it and stay so. */
  readonly others: readonly CellRange[];
}

/** Everything that is selected, in the order it was. */
export function rangesOf({ range, others }: Selection): readonly CellRange[] {
  return [...others, range];
}
