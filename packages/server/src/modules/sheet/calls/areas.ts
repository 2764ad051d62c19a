import { invalid } from '../errors.ts';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import { resolveAddress, splitSheet, type AddressOptions, type SheetRange } from './address.ts';

const maxAreas = 100;

/**
 * Resolves an address that may name several areas, such as `'Q1'!B2:D9,F2`. An area without a sub-sheet is on the
 * sub-sheet of the area before it.
 */
export function resolveAreas(document: SheetDocument, address: string, options: AddressOptions = {}): SheetRange[] {
  const parts = splitAreas(address);
  if (parts.length < 2 || !parts.every((part) => isArea(document, part)))
    return [resolveAddress(document, address, options)];
  const field = options.field ?? 'range';
  if (parts.length > maxAreas) throw invalid(`${field}: must name at most ${maxAreas} areas (got ${parts.length})`);
  let sheet = options.sheet;
  return parts.map((part) => {
    const place = resolveAddress(document, part, { ...options, sheet });
    sheet = place.sub.id;
    return place;
  });
}

/** Returns the only area of an address. Throws if there are several; `field` and `why` are for the error message. */
export function requireOneArea(places: readonly SheetRange[], field: string, why: string): SheetRange {
  if (places.length > 1) throw invalid(`${field}: must name one area, ${why} (got ${places.length})`);
  return places[0]!;
}

/** Splits an address such as `B2:D9,F2` at commas and semicolons outside of quotes and brackets. */
export function splitAreas(address: string): string[] {
  const parts = address.match(/(?:'(?:[^']|'')*'|\[[^\]]*\]|[^,;'[])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Matches an address without a sub-sheet: B2, A1:D9, A:C, 2:5, B2:B. */
const cells = /^\$?[A-Za-z]{0,3}\$?\d{0,7}(?::\$?[A-Za-z]{0,3}\$?\d{0,7})?$/;

/**
 * Returns whether a part between commas is an address, such as `B2:D9` or `Sheet1!A1`, and not a piece of a column
 * heading that contains a comma.
 */
function isArea(document: SheetDocument, part: string): boolean {
  return cells.test(part) || splitSheet(document, part).sheet !== undefined || document.byName(part) !== undefined;
}
