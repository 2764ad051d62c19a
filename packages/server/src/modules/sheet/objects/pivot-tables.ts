import { requireById } from '../calls/sheet-lookup.ts';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import {
  type SheetDocument,
  compileCalculated,
  pivotFits,
  type PivotTable,
  type SubSheet,
  unknownNames,
} from '@sheaf/engine/internal/document';
import { FormulaSyntaxError } from '@sheaf/engine';

export function requirePivotTable(document: SheetDocument, id: string): PivotTable {
  return requireById(document.pivots, id, 'pivot_table_id: there is no pivot table', { where: '' });
}

/** Returns the pivot table with this id. Throws if it is not on the sub-sheet `sub`. */
export function requirePivotOn(document: SheetDocument, sub: SubSheet, id: string): PivotTable {
  const pivot = requirePivotTable(document, id);
  if (pivot.sheet !== sub.id)
    throw fail(
      'no_such_object',
      `pivot_table_id: ${JSON.stringify(pivot.id)} is on sub-sheet ${pivot.sheet}, not on ${sub.id}`,
    );
  return pivot;
}

/** Throws if the pivot table's output would overwrite cells with content. */
export function refusePivotOverwrite(document: SheetDocument, pivot: PivotTable): void {
  if (!pivotFits(document, pivot))
    throw fail(
      'conflict',
      `anchor_row: the pivot table would overwrite cells; clear them, or choose a place other than row ${pivot.row}, column ${pivot.col}`,
    );
}

/**
 * Returns `field`, the index of a column of the source range, counted from its first column. Throws if the source has
 * no such column or was deleted. `path` is the name of the input field, for the error message.
 */
export function checkPivotField(pivot: PivotTable, field: number, path: string): number {
  if (!pivot.source) throw fail('conflict', 'pivot_table_id: the source cells of this pivot table were deleted');
  const count = pivot.source[3] - pivot.source[1] + 1;
  if (field >= count)
    throw invalid(`${path}: must be at most ${count - 1}, the last column of the source (got ${field})`);
  return field;
}

/**
 * Throws if the formula of a calculated field cannot be parsed or names an unknown field. With such a formula, every
 * cell of the calculated field would show #NAME?.
 */
export function checkCalculatedField(document: SheetDocument, pivot: PivotTable, formula: string, path: string): void {
  const source = document.find(pivot.sourceSheet);
  if (!pivot.source || !source) return;
  const [top, left, , right] = pivot.source;
  const names: string[] = [];
  for (let col = left; col <= right; col++) names.push(document.text(source, top, col));
  try {
    compileCalculated(document, formula, names, {});
    const [unknown] = unknownNames(document, formula, names);
    if (unknown !== undefined)
      throw invalid(
        `${path}: there is no field ${JSON.stringify(unknown)}; there are ${names.filter((one) => one !== '').join(', ')}`,
      );
  } catch (error) {
    if (error instanceof FormulaSyntaxError) throw fail('formula', `${path}: ${error.message}`);
    throw error;
  }
}
