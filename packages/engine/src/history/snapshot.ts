import type { SheetDocument } from '../document/document.ts';
import { recalculateDocument } from './apply-edit.ts';
import { engineVersion } from './snapshot/format.ts';
import { openSnapshot, loadCells, createDocumentFromHeader, type OpenedSnapshot } from './snapshot/decode-snapshot.ts';

export { SnapshotError } from './snapshot/bytes.ts';
export { encodeSnapshot } from './snapshot/encode-snapshot.ts';

/** Loads a document from a snapshot. Throws SnapshotError if the bytes are not a valid snapshot. */
export function loadSnapshot(bytes: Uint8Array): SheetDocument {
  const opened = openSnapshot(bytes);
  const document = createDocumentFromHeader(opened);
  loadCells(opened, document);
  upgradeValues(opened, document);
  return document;
}

/** Recalculates formulas and pivot tables if another engine version calculated the cached values. */
export function upgradeValues({ header }: OpenedSnapshot, document: SheetDocument): void {
  if (header.engine === engineVersion) return;
  document.workbook.requireAll();
  document.looksChanged = true;
  recalculateDocument(document, document.clock);
}
