import type { CellRange } from '../geometry.ts';
import type { PastedLook } from './css-looks.ts';

export interface PastedCell {
  /** As it was shown. */
  readonly text: string;
  /** The number behind it, where the program says so. */
  readonly number?: string | undefined;
  /** With references like `R[-1]C[0]`. */
  readonly formula?: string | undefined;
  readonly look: PastedLook;
}

export interface PastedTable {
  /** All rows have the same length. */
  readonly rows: readonly (readonly PastedCell[])[];
  /** Counted from the first cell of the table. */
  readonly merges: readonly CellRange[];
}
