import { fail } from '../../kernel/errors.ts';
import { invalid } from '../sheet/errors.ts';
import type { ImportedFile } from '../../ports/spreadsheet-service.ts';
import { uploaderOf } from '../../ports/import-uploads.ts';

/** Returns the upload's key; throws if the caller did not create the upload. */
export function requireOwnUpload(key: string, userId: string): string {
  if (uploaderOf(key) !== userId)
    throw fail(
      'no_such_object',
      `file_key: there is no upload ${JSON.stringify(key.slice(0, 100))} of yours; call pre_import to create one`,
    );
  return key;
}

/** Derives a document's title from a file name by dropping folders and the extension. */
export function titleFromFileName(fileName: string): string {
  const base = fileName.replace(/^.*[\\/]/, '').replace(/\.(?:xlsx?|csv)$/i, '');
  return base === '' ? fileName : base;
}

/**
 * Detects the file format from its bytes: xlsx is a zip archive, xls an OLE compound file, csv is text. Throws if the
 * bytes contradict the format in `named`.
 */
export function detectFormat(bytes: Uint8Array, named: ImportedFile['format'] | undefined): ImportedFile['format'] {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const isCompound = bytes[0] === 0xd0 && bytes[1] === 0xcf;
  if (named === 'xls' && !isCompound) throw invalid('format: is xls, but the file is not an .xls file');
  if (isCompound && (named === undefined || named === 'xls')) return 'xls';
  if (named === 'xlsx' && !isArchive) throw invalid('format: is xlsx, but the file is not an .xlsx file');
  if (named === 'csv' && isArchive) throw invalid('format: is csv, but the file is an archive');
  return isArchive ? 'xlsx' : 'csv';
}
