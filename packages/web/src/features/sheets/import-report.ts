import { readJson, writeStorage } from '../../lib/browser-storage.ts';

/**
 * Returns the storage key of an import's warnings about content that could not be converted. The warnings are stored in
 * this browser until the user dismisses them.
 */
const key = (fileId: string): string => `sheaf.import-report.${fileId}`;

export function saveImportReport(fileId: string, warnings: readonly string[]): void {
  if (warnings.length > 0) writeStorage(key(fileId), JSON.stringify(warnings));
}

export function readImportReport(fileId: string): readonly string[] {
  return readJson(key(fileId)) ?? [];
}

export function deleteImportReport(fileId: string): void {
  writeStorage(key(fileId), null);
}
