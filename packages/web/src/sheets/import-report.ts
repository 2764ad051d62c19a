import { read, write } from '../lib/settings.ts';

/** Warnings about content that an import could not convert, stored in this browser until dismissed. */
const key = (fileId: string): string => `sheaf.import-report.${fileId}`;

export function keepImportReport(fileId: string, warnings: readonly string[]): void {
  if (warnings.length > 0) write(key(fileId), JSON.stringify(warnings));
}

export function importReport(fileId: string): readonly string[] {
  const kept = read(key(fileId));
  return kept === null ? [] : (JSON.parse(kept) as string[]);
}

export function forgetImportReport(fileId: string): void {
  write(key(fileId), null);
}
