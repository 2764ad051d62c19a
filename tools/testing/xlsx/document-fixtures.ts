import { SheetDocument, edit, addSheet, type Mutation } from '@sheaf/engine';
import { readXlsx, type ReadResult } from '@sheaf/files/xlsx/read-workbook';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Creates a spreadsheet document with one sheet, whose id is `one`, and applies the mutations. */
export function documentOf(...mutations: Mutation[]): SheetDocument {
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: 'one', name: 'Sheet1' }), ...mutations]);
  return document;
}

export function readTestWorkbook(bytes: Uint8Array, options: Partial<Parameters<typeof readXlsx>[1]> = {}): ReadResult {
  let ids = 0;
  return readXlsx(bytes, {
    newId: (prefix) => `${prefix}${++ids}`,
    newSheetId: () => `s${++ids}`,
    owner: 'importer',
    now: 45_000,
    ...options,
  });
}
