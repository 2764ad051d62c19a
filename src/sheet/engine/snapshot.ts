import type { SheetDocument } from './document.ts';
import { openSnapshot, readCells, readWorkbook } from './snapshot/read.ts';

export { SnapshotError } from './snapshot/bytes.ts';
export { ENGINE, FORMAT } from './snapshot/format.ts';
export { snapshot } from './snapshot/write.ts';

/** The document that `snapshot` was made from. Throws SnapshotError. */
export function load(bytes: Uint8Array): SheetDocument {
  const opened = openSnapshot(bytes);
  const document = readWorkbook(opened);
  readCells(opened, document);
  return document;
}
