import { SqlSheetStore } from '../adapters/sql/sheets/store.ts';
import { HostedDocuments } from '../sheet/documents.ts';
import { SheetSearch } from '../sheet/search.ts';
import { maxDocumentBytes } from '../sheet/storage.ts';
import { workerScript } from '../worker-script.ts';
import type { Base } from './base.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

/** Opens the spreadsheet store and the threads that hold open documents. */
export function openSheets(
  { config, clock, log }: Base,
  { database, leaseClock, blobs, kept, events }: Storage,
  opened: Opened,
) {
  const sheets = new SqlSheetStore(
    database,
    { quotaBytes: config.SHEAF_QUOTA_BYTES, documentBytes: maxDocumentBytes },
    leaseClock,
  );
  const documents = new HostedDocuments({ sheets, blobs, kept, config, events, clock, log }, workerScript('sheet'));
  database.incarnation.onChange(() => documents.forgetAll());
  opened.add('the document threads', documents, () => documents.close());
  return { sheets, documents, sheetSearch: new SheetSearch(sheets, documents, log) };
}
