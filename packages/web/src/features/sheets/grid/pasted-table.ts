import type { CellRange } from '../cell-geometry.ts';
import type { PastedStyle } from './parse-css-style.ts';

export interface PastedCell {
  readonly text: string;
  /**
   * The number behind the displayed text, as a string. Undefined or empty if the source program does not provide it.
   */
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
