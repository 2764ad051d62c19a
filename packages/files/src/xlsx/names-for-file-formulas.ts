import type { SheetDocument, SheetNames, SubSheet } from '@sheaf/engine/internal/document';
import { toNumberedBook } from './external-workbooks.ts';

/**
 * Returns the lookups of sheet, table and external workbook names that are needed to write formulas in the syntax of
 * xlsx files.
 */
export function namesForFileFormulas({ workbook, kept }: SheetDocument): SheetNames {
  const books = kept?.books ?? [];
  return {
    sheetName: (id) => workbook.sheetName(id),
    sheetId: (name) => workbook.sheetId(name),
    tables: workbook.tables,
    tableForm: 'file',
    ...(books.length > 0 ? { outsideName: (key) => toNumberedBook(key, books) } : {}),
  };
}

/**
 * Returns a function that tells whether a word, in upper case, is a defined name or table in formulas of a sub-sheet;
 * without a sub-sheet, in formulas of the whole workbook.
 */
export function createDefinedNameTest(
  { workbook, kept }: SheetDocument,
  sub: SubSheet | undefined,
): (name: string) => boolean {
  return (name) =>
    workbook.nameDefinition(name, sub?.sheet.id ?? -1) !== undefined ||
    workbook.tables.tableNamed(name) !== undefined ||
    (kept?.names?.some(
      (one) => one.text !== undefined && one.name.toUpperCase() === name && (one.sheet ?? sub?.id) === sub?.id,
    ) ??
      false);
}
