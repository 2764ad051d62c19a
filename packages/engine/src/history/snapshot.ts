import type { SheetDocument } from '../document/document.ts';
import { settle } from './apply-edit.ts';
import { engineVersion } from './snapshot/format.ts';
import { openSnapshot, readCells, readWorkbook, type OpenedSnapshot } from './snapshot/read.ts';

export { SnapshotError } from './snapshot/bytes.ts';
export { snapshot } from './snapshot/write.ts';

/** Loads a document from a snapshot. Throws SnapshotError if the bytes are not a valid snapshot. */
export function load(bytes: Uint8Array): SheetDocument {
  const opened = openSnapshot(bytes);
  const document = readWorkbook(opened);
  readCells(opened, document);
  upgradeValues(opened, document);
  return document;
}

/** Recalculates formulas and pivot tables if another engine version calculated the cached values. */
export function upgradeValues({ header }: OpenedSnapshot, document: SheetDocument): void {
  if (header.engine === engineVersion) return;
  document.workbook.requireAll();
  document.looksChanged = true;
  settle(document, document.clock);
}
