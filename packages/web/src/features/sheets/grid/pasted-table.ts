import type { CellRange } from '../cell-geometry.ts';
import type { PastedStyle } from './parse-css-style.ts';

export interface PastedCell {
  readonly text: string;
  /** The numeric value of the displayed text, if the source program provides it. */
  readonly number?: string | undefined;
  /** The formula in R1C1 notation with relative references, such as `R[-1]C[0]`. */
  readonly formula?: string | undefined;
  readonly look: PastedStyle;
}

export interface PastedTable {
  /** Cells by row; all rows have the same length. */
  readonly rows: readonly (readonly PastedCell[])[];
  /** Merged ranges, relative to the first cell of the table. */
  readonly merges: readonly CellRange[];
}
