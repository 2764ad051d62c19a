import { fail } from '../../operation/errors.ts';
import type { SheetDocument, FloatImage, SubSheet } from '@sheaf/engine/internal/document';

/** The sub-sheet a tool names, or the error that says which there are. */
export function subSheetOf(document: SheetDocument, sheetId: string): SubSheet {
  const found = document.find(sheetId);
  if (!found) {
    const known = document.subSheets
      .slice(0, 5)
      .map((one) => `${one.id} (${one.name})`)
      .join(', ');
    throw fail('no_such_sheet', `sheet_id: there is no sub-sheet ${JSON.stringify(sheetId)}; there are ${known}`);
  }
  return found;
}

/** Whether people could still open the document without this sub-sheet. One that is hidden already takes nothing away. */
export function isAnotherVisible(document: SheetDocument, without: SubSheet): boolean {
  if (without.setup.visibility !== undefined) return true;
  return document.subSheets.some((one) => one !== without && one.setup.visibility === undefined);
}

/** The sub-sheet to which a call restricts itself, by name or by id; undefined when by neither. */
export function onlySheet(
  document: SheetDocument,
  { sheet_name, sheet_id }: { sheet_name?: string; sheet_id?: string },
): SubSheet | undefined {
  const named = sheet_name ? document.byName(sheet_name) : undefined;
  if (sheet_name && !named)
    throw fail('no_such_sheet', `sheet_name: there is no sub-sheet named ${JSON.stringify(sheet_name)}`);
  const found = sheet_id ? subSheetOf(document, document.byName(sheet_id)?.id ?? sheet_id) : undefined;
  if (named && found && named !== found)
    throw fail('invalid_parameter', `sheet_id: ${JSON.stringify(sheet_id)} is not ${JSON.stringify(sheet_name)}`);
  return named ?? found;
}

/** As above; tools made for grids of cells refuse the other types. */
export function worksheetOf(document: SheetDocument, sheetId: string): SubSheet {
  const found = subSheetOf(document, sheetId);
  if (found.type !== 'worksheet')
    throw fail(
      'invalid_parameter',
      `sheet_id: ${JSON.stringify(sheetId)} is a ${found.type}; this tool needs a worksheet`,
    );
  return found;
}

/** The worksheet a tool names, or the one that holds what it names; the first where none does, to say so there. */
export function sheetHolding(
  document: SheetDocument,
  sheetId: string | undefined,
  holds: (sub: SubSheet) => boolean,
): SubSheet {
  if (sheetId !== undefined) return worksheetOf(document, sheetId);
  return document.subSheets.find(holds) ?? worksheetOf(document, document.subSheets[0]!.id);
}

export function imageOf(sub: SubSheet, id: string): FloatImage {
  const found = sub.images.find((one) => one.id === id);
  if (!found)
    throw fail(
      'no_such_object',
      `object_id: there is no image ${JSON.stringify(id)} on this sub-sheet; there are ${sub.images.map((one) => one.id).join(', ') || 'none'}`,
    );
  return found;
}
