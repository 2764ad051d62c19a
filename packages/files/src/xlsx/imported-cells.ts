import { Runs, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { fingerprint } from './passthrough/fingerprint.ts';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { pivotFingerprint } from './write-pivot.ts';

const highestPoints = 409;

/** Imported XML that the export writes in addition to a cell's value. */
export interface ImportedCell {
  readonly attributes: string;
  readonly formula: string;
  /** Text that the imported file shows in a pivot table cell, if it differs from the computed text. */
  readonly caption?: string;
}

/**
 * Returns, by cell, the XML of the imported rich values (such as pictures in cells) and data tables, and the captions
 * of pivot tables. A rich value is dropped if the cell's value changed, a caption if the pivot table changed.
 */
export function importedCells(
  document: SheetDocument,
  sub: SubSheet,
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
): ReadonlyMap<string, ImportedCell> {
  const found = new Map<string, ImportedCell>();
  for (const one of sub.carried) {
    const [row = 0, col = 0] = one.regions?.[0] ?? [];
    const text = kept.text(one);
    if (one.kind === 'dataTable') found.set(`${row},${col}`, { attributes: '', formula: kept.fill(one, relations) });
    // The stored rich value is an index into the metadata part of the imported file. Write it only if that part is
    // written too and the cell's value is unchanged.
    else if (
      one.kind === 'richValue' &&
      document.kept?.metadata !== undefined &&
      text?.read === fingerprint(document.value(sub, row, col))
    )
      found.set(`${row},${col}`, { attributes: ` vm="${text.pieces?.[0] ?? ''}"`, formula: '' });
  }
  for (const pivot of document.pivots) {
    const text = pivot.sheet === sub.id && pivot.words !== undefined ? kept.textAt(pivot.words) : undefined;
    if (!text?.captions || text.read !== pivotFingerprint(document, pivot)) continue;
    for (const [row, col, caption] of text.captions)
      found.set(`${row + pivot.row},${col + pivot.col}`, { attributes: '', formula: '', caption });
  }
  return found;
}

/**
 * Returns, for each column, the rows in which the imported file has an empty cell with the format of its row or column.
 * The export would omit such cells if they were not recorded.
 */
export function importedEmptyCells({ carried, cols }: SubSheet): ReadonlyMap<number, Runs> {
  const found = new Map<number, Runs>();
  for (const { kind, regions = [] } of carried) {
    if (kind !== 'emptyCells') continue;
    for (const [top, left, bottom, right] of regions)
      for (let col = left; col <= Math.min(right, cols - 1); col++) {
        const rows = found.get(col) ?? new Runs();
        found.set(col, rows);
        rows.set(top, bottom, 1);
      }
  }
  return found;
}

/**
 * Returns whether the sub-sheet has exactly the protections of the imported file. The lock flags of the imported cell
 * formats are then valid.
 */
export function hasImportedLocks({ protections, setup }: SubSheet): boolean {
  const ids = setup.protection?.ids ?? [];
  return protections.length === ids.length && protections.every(({ id }) => ids.includes(id));
}

/**
 * Splits the stored settings of a row or column into its XML attributes and the number of its cell format in
 * `KeptBook.looks` (0 for none).
 */
export function splitStoredAttributes(words: string | undefined): {
  readonly look: number;
  readonly attributes: string;
} {
  const digits = /^\d*/.exec(words ?? '')?.[0] ?? '';
  return { look: Number(digits), attributes: (words ?? '').slice(digits.length) };
}

/** Returns the row height in points from the XML attributes of a row element, or 0 if they contain none. */
export function rowHeightOf(attributes: string): number {
  const height = Number(/ ht="([^"]*)"/.exec(attributes)?.[1] ?? 0);
  return height > 0 ? Math.min(height, highestPoints) : 0;
}
