import { SqlSheetStore } from '../adapters/sql/sheets/sheet-store.ts';
import { HostedDocuments } from '../modules/sheet/host/hosted-documents.ts';
import { SheetSearchSource } from '../modules/sheet/search-source.ts';
import { maxDocumentBytes } from '../modules/sheet/document-storage.ts';
import { workerScriptPath } from '../worker-script.ts';
import type { CoreServices } from './core-services.ts';
import type { NodeServices } from './open-nodes.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { StorageServices } from './open-storage.ts';

/** Opens the store of spreadsheets, and the worker threads that keep open spreadsheets in memory. */
export function openSheets(
  { config, clock, log }: CoreServices,
  { database, leaseClock, blobs, blobAccounting, events, permissions }: StorageServices,
  links: NodeServices,
  opened: ResourceStack,
) {
  const sheets = new SqlSheetStore(
    database,
    { quotaBytes: config.SHEAF_QUOTA_BYTES, documentBytes: maxDocumentBytes },
    leaseClock,
  );
  permissions.onChange(() => sheets.invalidateAccess());
  const documents = new HostedDocuments(
    { sheets, blobs, blobAccounting, config, events, clock, log },
    workerScriptPath('sheet'),
    links,
  );
  database.incarnation.onChange(() => documents.unloadAll());
  opened.add('the document threads', documents, () => documents.close());
  return { sheets, documents, sheetSearch: new SheetSearchSource(sheets, documents, log) };
}
