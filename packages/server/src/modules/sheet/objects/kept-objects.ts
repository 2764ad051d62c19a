import { cellPictures, pictureAddresses } from '@sheaf/files/xlsx/cell-pictures';
import { keptObjects } from '@sheaf/files/xlsx/kept-objects';
import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { toLocation } from '../charts/chart-location.ts';

type IsShown = (row: number, col: number) => boolean;

/** Maximum total size in bytes of the pictures in one answer. */
const maxPictureBytes = 4 * 2 ** 20;

/**
 * Returns the drawing objects and in-cell pictures of a sub-sheet that were imported from a file and can be displayed
 * but not edited. Includes only objects for whose cell `isShown` returns true. Pictures beyond `maxBytes` in total are
 * left out.
 */
export function readKeptObjects(
  document: SheetDocument,
  sub: SubSheet,
  isShown: IsShown = () => true,
  maxBytes = maxPictureBytes,
) {
  const objects = keptObjects(document, sub).filter(({ anchor }) => isShown(anchor.row, anchor.col));
  const inCells = cellPictures(document, sub).filter(({ row, col }) => isShown(row, col));
  const parts = [...new Set(inCells.flatMap(({ part }) => part ?? []))];
  const addresses = pictureAddresses(document, parts, maxBytes);
  const told = parts.filter((part) => addresses.has(part));
  return {
    objects: objects.map(({ kind, name, text, anchor }) => ({ kind, name, text, location: toLocation(anchor) })),
    pictures: told.map((part) => addresses.get(part)!),
    cells: inCells.map(({ row, col, text, part }) => {
      const picture = part === undefined ? -1 : told.indexOf(part);
      return { row_index: row, col_index: col, text, ...(picture < 0 ? {} : { picture }) };
    }),
  };
}
