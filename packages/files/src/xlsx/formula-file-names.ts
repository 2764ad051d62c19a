import type { SheetDocument, SheetNames } from '@sheaf/engine/internal/document';
import { toNumberedBook } from './external-workbooks.ts';

/** Returns the name lookups (sub-sheets, tables, external workbooks) for formulas in the file's syntax. */
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
