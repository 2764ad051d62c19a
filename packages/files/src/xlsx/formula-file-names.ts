import type { SheetDocument, SheetNames } from '@sheaf/engine/internal/document';
import { toNumberedBook } from './external-workbooks.ts';

/**
 * Returns the lookups of sheet, table and external workbook names that are needed to write formulas in the syntax of
 * xlsx files.
 */
export function formulaFileNames({ workbook, kept }: SheetDocument): SheetNames {
  const books = kept?.books ?? [];
  return {
    sheetName: (id) => workbook.sheetName(id),
    sheetId: (name) => workbook.sheetId(name),
    tables: workbook.tables,
    tableForm: 'file',
    ...(books.length > 0 ? { outsideName: (key) => toNumberedBook(key, books) } : {}),
  };
}
