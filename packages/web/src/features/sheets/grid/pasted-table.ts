import type { CellRange } from '../cell-geometry.ts';
import type { PastedStyle } from './parse-css-style.ts';

export interface PastedCell {
  /** The displayed text. */
  readonly text: string;
  /** The underlying number, if the source program provides it. */
  readonly number?: string | undefined;
  /** The formula with relative references such as `R[-1]C[0]`. */
  readonly formula?: string | undefined;
  readonly look: PastedStyle;
}

export interface PastedTable {
  /** All rows have the same length. */
  readonly rows: readonly (readonly PastedCell[])[];
  /** Relative to the first cell of the table. */
  readonly merges: readonly CellRange[];
}
