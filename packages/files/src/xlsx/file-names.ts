import type { SheetDocument, SheetNames } from '@sheaf/engine/internal/document';
import { numberedBook } from './other-workbooks.ts';

/** How formulas of files speak of sub-sheets, tables and other workbooks. */
export function fileNames({ workbook, kept }: SheetDocument): SheetNames {
  const books = kept?.books ?? [];
  return {
    sheetName: (id) => workbook.sheetName(id),
    sheetId: (name) => workbook.sheetId(name),
    tables: workbook.tables,
    tableForm: 'file',
    ...(books.length > 0 ? { outsideName: (key) => numberedBook(key, books) } : {}),
  };
}
