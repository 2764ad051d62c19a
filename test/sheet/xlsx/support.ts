import { SheetDocument } from '../../../src/sheet/engine/document/document.ts';
import { edit } from '../../../src/sheet/engine/history/edit.ts';
import { addSheet } from '../../../src/sheet/engine/mutations/sub-sheets.ts';
import type { Mutation } from '../../../src/sheet/engine/mutations/mutation.ts';
import { readXlsx, type ReadResult } from '../../../src/sheet/xlsx/read.ts';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A document with the sub-sheet `one`, changed by mutations. */
export function documentOf(...mutations: Mutation[]): SheetDocument {
  const document = new SheetDocument();
  edit(document, [addSheet.of({ sheet: 'one', name: 'Sheet1' }), ...mutations]);
  return document;
}

export function reading(bytes: Uint8Array, options: Partial<Parameters<typeof readXlsx>[1]> = {}): ReadResult {
  let ids = 0;
  return readXlsx(bytes, {
    newId: (prefix) => `${prefix}${++ids}`,
    newSheetId: () => `s${++ids}`,
    owner: 'importer',
    now: 45_000,
    ...options,
  });
}
