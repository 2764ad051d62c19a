import { isDatePattern } from '../../base/number-format.ts';
import { pivotMark } from '../../store/chunk.ts';
import type { SheetDocument } from '../document.ts';
import type { PivotTable } from '../objects/sheet-objects.ts';
import { rectOf } from '../objects/rect.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { shapeOf } from './compute-pivot.ts';

/**
 * Returns the number format of a cell that shows a date or time as a label of a pivot table: the format of the first
 * source cell with the same value. Returns undefined for other cells. Pivot output has no styles, so the format is
 * looked up on each call.
 */
export function labelFormat(document: SheetDocument, sub: SubSheet, row: number, col: number): string | undefined {
  if (document.pivotOutputs.size === 0 || sub.sheet.cells.formulaId(row, col) !== pivotMark) return undefined;
  const value = sub.sheet.read(row, col);
  if (typeof value !== 'number') return undefined;
  for (const pivot of document.pivots) {
    const output = document.pivotOutputs.get(pivot.id);
    if (!output || output.sheet !== sub.id || output.blocked || output.hidden || !pivot.source) continue;
    const { top, left, bottom, right } = output.rect;
    if (row < top || row > bottom || col < left || col > right) continue;
    const field = fieldAt(pivot, row - top, col - left);
    const source = document.find(pivot.sourceSheet);
    if (field === undefined || !source) return undefined;
    const from = rectOf(pivot.source);
    const at = source.sheet.findExact(from.top + 1, from.left + field, from.bottom, from.left + field, value);
    if (at < 0) return undefined;
    const pattern = document.style(source, from.top + 1 + at, from.left + field).numberFormat;
    return pattern !== undefined && isDatePattern(pattern) ? pattern : undefined;
  }
  return undefined;
}

/**
 * Returns the index of the source column from which the label in this cell comes, or undefined if the cell is not a
 * label cell. `row` and `col` are relative to the output of the pivot table.
 */
function fieldAt(pivot: PivotTable, row: number, col: number): number | undefined {
  const { labelCols, headingRows } = shapeOf(pivot);
  if (col < labelCols) return row < headingRows ? undefined : pivot.rowGroups[col];
  return pivot.columnGroups[row];
}
