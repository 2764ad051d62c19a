import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import type { SheetDocument, FloatImage, SubSheet } from '@sheaf/engine/internal/document';

/** Returns the sub-sheet with this id. Throws an error that lists existing ids if there is none. */
export function requireSubSheet(document: SheetDocument, sheetId: string): SubSheet {
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

/**
 * Returns whether another sub-sheet would remain visible after `without` is removed or hidden. Returns true if
 * `without` is already hidden, because then no visible sheet is lost.
 */
export function hasOtherVisibleSheet(document: SheetDocument, without: SubSheet): boolean {
  if (without.setup.visibility !== undefined) return true;
  return document.subSheets.some((one) => one !== without && one.setup.visibility === undefined);
}

/**
 * Returns the sub-sheet that the input specifies by `sheet_name` or `sheet_id`; undefined if the input has neither
 * field. Throws if there is no such sub-sheet, or if the two fields specify different ones.
 */
export function findScopeSheet(
  document: SheetDocument,
  { sheet_name, sheet_id }: { sheet_name?: string; sheet_id?: string },
): SubSheet | undefined {
  const named = sheet_name ? document.byName(sheet_name) : undefined;
  if (sheet_name && !named)
    throw fail('no_such_sheet', `sheet_name: there is no sub-sheet named ${JSON.stringify(sheet_name)}`);
  const found = sheet_id ? requireSubSheet(document, document.byName(sheet_id)?.id ?? sheet_id) : undefined;
  if (named && found && named !== found)
    throw invalid(`sheet_id: ${JSON.stringify(sheet_id)} is not ${JSON.stringify(sheet_name)}`);
  return named ?? found;
}

/** Returns the sub-sheet with this id; throws if it does not exist or is not a worksheet. */
export function requireWorksheet(document: SheetDocument, sheetId: string): SubSheet {
  const found = requireSubSheet(document, sheetId);
  if (found.type !== 'worksheet')
    throw invalid(`sheet_id: ${JSON.stringify(sheetId)} is a ${found.type}; this tool needs a worksheet`);
  return found;
}

/**
 * Returns the worksheet with this id or, without an id, the first sub-sheet for which `holds` is true (which contains
 * the wanted object). If there is none, returns the first worksheet: the caller does not find the object in it and
 * throws an error about the missing object.
 */
export function findSheetContaining(
  document: SheetDocument,
  sheetId: string | undefined,
  holds: (sub: SubSheet) => boolean,
): SubSheet {
  if (sheetId !== undefined) return requireWorksheet(document, sheetId);
  return document.subSheets.find(holds) ?? requireWorksheet(document, document.subSheets[0]!.id);
}

/**
 * Returns the object (such as a chart, image or table) with this id. If there is none, throws an error that begins with
 * `missing` and lists the first `listed` existing ids.
 */
export function requireById<One extends { readonly id: string }>(
  all: readonly One[],
  id: string,
  missing: string,
  { where = ' on this sub-sheet', listed = Infinity } = {},
): One {
  const found = all.find((one) => one.id === id);
  if (found) return found;
  const known = all.slice(0, listed).map((one) => one.id);
  throw fail('no_such_object', `${missing} ${JSON.stringify(id)}${where}; there are ${known.join(', ') || 'none'}`);
}

/** Returns an image and its sub-sheet. Searches all sub-sheets if the input has no sheet_id. */
export function requireImage(
  document: SheetDocument,
  { sheet_id, object_id }: { sheet_id?: string; object_id: string },
): { sub: SubSheet; image: FloatImage } {
  const sub = findSheetContaining(document, sheet_id, ({ images }) => images.some(({ id }) => id === object_id));
  return { sub, image: requireById(sub.images, object_id, 'object_id: there is no image') };
}

/**
 * Throws if one of the rows or columns from `first` to `last` lies beyond the end of the sub-sheet. `field` is the
 * input field that the error names.
 */
export function refuseMissingLines(
  sub: SubSheet,
  axis: 'row' | 'col',
  first: number,
  last: number,
  field: string,
): void {
  const size = axis === 'row' ? sub.rows : sub.cols;
  if (last >= size) throw invalid(`${field}: ${axis}s ${first} to ${last} do not all exist; the last is ${size - 1}`);
}
