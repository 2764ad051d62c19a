import { overLimit } from '../errors.ts';
import type { SheetRange } from '../calls/address.ts';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import { CellError, maxCols, maxRows } from '@sheaf/engine';
import { type Mutation, setStyle, setValues } from '@sheaf/engine/internal/mutations';

const maxCells = 200_000;

/**
 * Writes the cells of the range `from` to the range `to` with rows and columns swapped, and with their number formats.
 * Formulas are written as their values.
 */
export function transposeRange(document: SheetDocument, from: SheetRange, to: SheetRange): Mutation[] {
  const { top, left, bottom, right } = from.rect;
  const [height, width] = [bottom - top + 1, right - left + 1];
  if (height * width > maxCells)
    throw overLimit(`source: at most ${maxCells} cells can be transposed at once (got ${height * width})`);
  if (to.rect.top + width > maxRows || to.rect.left + height > maxCols)
    throw overLimit(`target: ${width} rows by ${height} columns do not fit below and beside its first cell`);
  const values: [number, number, (string | number | boolean | null | { error: string })[]][] = [];
  const looks: Mutation[] = [];
  for (let row = top; row <= bottom; row++) {
    const col = to.rect.left + row - top;
    const column: (string | number | boolean | null | { error: string })[] = [];
    for (let from0 = left; from0 <= right; from0++) {
      const value = document.value(from.sub, row, from0);
      column.push(value instanceof CellError ? { error: value.text } : value);
      const pattern = document.numberFormat(from.sub, row, from0);
      const at = to.rect.top + from0 - left;
      if (pattern !== document.numberFormat(to.sub, at, col))
        looks.push(
          setStyle.of({
            sheet: to.sub.id,
            region: [at, col, at, col],
            set: { numberFormat: pattern === 'General' ? null : pattern },
          }),
        );
    }
    values.push([to.rect.top, col, column]);
  }
  return [setValues.of({ sheet: to.sub.id, values, formulas: [] }), ...looks];
}
