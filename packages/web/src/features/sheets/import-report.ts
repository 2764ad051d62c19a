import { readStorage, writeStorage } from '../../lib/browser-storage.ts';

/** Warnings about content that an import could not convert, stored in this browser until dismissed. */
const key = (fileId: string): string => `sheaf.import-report.${fileId}`;

export function saveImportReport(fileId: string, warnings: readonly string[]): void {
  if (warnings.length > 0) writeStorage(key(fileId), JSON.stringify(warnings));
}

export function readImportReport(fileId: string): readonly string[] {
  const kept = readStorage(key(fileId));
  return kept === null ? [] : (JSON.parse(kept) as string[]);
}

export function deleteImportReport(fileId: string): void {
  writeStorage(key(fileId), null);
}
