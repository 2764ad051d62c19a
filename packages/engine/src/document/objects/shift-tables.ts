import { mapPosition } from '../../base/axis-change.ts';
import type { StructuralEdit } from '../../formula/rewrite-reference.ts';
import type { SheetDocument } from '../document.ts';
import type { Table, TableColumn } from './range-objects.ts';
import { rectOf, regionOf, sameRect } from './rect.ts';
import { shiftRect } from './shift-objects.ts';

/**
 * Returns the tables without the header rows and totals rows that an edit deletes. The texts of a deleted header become
 * the stored column names. Must be called before the edit moves cells, because it reads the header cells.
 */
export function dropDeletedTableRows(
  { workbook }: SheetDocument,
  tables: readonly Table[],
  edit: StructuralEdit,
): readonly Table[] {
  const { axis, change } = edit;
  if (tables.length === 0 || axis !== 'row' || change.kind !== 'delete') return tables;
  const goes = (row: number): boolean => row >= change.at && row < change.at + change.count;
  return tables.map((table) => {
    const rect = rectOf(table.regions[0]!);
    // The edit may shift only a strip of the sub-sheet. A table that is not completely inside the strip stays.
    if (shiftRect(rect, edit) === rect) return table;
    const { totals, ...rest } = table;
    const kept = totals && !goes(rect.bottom) ? { totals } : {};
    const shape = table.headings !== false && goes(rect.top) ? workbook.tables.table(table.number) : undefined;
    if (!shape) return totals && !kept.totals ? rest : table;
    const names = workbook.tables.columnNames(shape);
    const columns = table.columns.map((column, place) => ({ ...column, name: names[place] ?? column.name }));
    return { ...rest, ...kept, headings: false, columns };
  });
}

/**
 * Applies an insertion, deletion or move of rows or columns to tables. Columns inserted inside a table become new table
 * columns.
 */
export function shiftTables(tables: readonly Table[], edit: StructuralEdit): readonly Table[] {
  return tables.length === 0 ? tables : tables.flatMap((table) => shiftTable(table, edit) ?? []);
}

function shiftTable(table: Table, edit: StructuralEdit): Table | undefined {
  const before = rectOf(table.regions[0]!);
  const rect = shiftRect(before, edit);
  if (!rect) return undefined;
  if (rect === before) return table;
  const regions = [regionOf(rect)];
  if (edit.axis === 'row') return sameRect(rect, before) ? table : { ...table, regions };
  const columns: (TableColumn | undefined)[] = Array.from({ length: rect.right - rect.left + 1 });
  table.columns.forEach((column, place) => {
    const to = mapPosition(edit.change, before.left + place);
    if (to !== undefined && to >= rect.left && to <= rect.right) columns[to - rect.left] = column;
  });
  let { next } = table;
  return { ...table, regions, columns: columns.map((one) => one ?? { number: next++, name: '' }), next };
}
