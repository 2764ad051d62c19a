import { fail } from '../../kernel/errors.ts';
import { invalid } from '../sheet/errors.ts';
import type { ImportedFile } from '../../ports/spreadsheet-service.ts';
import { uploaderOf } from '../../ports/import-uploads.ts';

/** Returns `key`, the key of an uploaded file. Throws if another user uploaded the file. */
export function requireOwnUpload(key: string, userId: string): string {
  if (uploaderOf(key) !== userId)
    throw fail(
      'no_such_object',
      `file_key: there is no upload ${JSON.stringify(key.slice(0, 100))} of yours; call pre_import to create one`,
    );
  return key;
}

/** Returns a document title for a file name: the name without folders and extension. */
export function titleFromFileName(fileName: string): string {
  const base = fileName.replace(/^.*[\\/]/, '').replace(/\.(?:xls[xbm]?|ods|csv)$/i, '');
  return base === '' ? fileName : base;
}

/**
 * Number of bytes at the end of a zip archive that are searched for the names of the files in it. A zip archive has its
 * table of contents at its end.
 */
const directoryBytes = 256 * 1024;

/**
 * Detects the file format from the file's first bytes: xlsx, xlsb and ods are zip archives, xls is an OLE compound
 * file, and any other file counts as csv. Throws if `named` is another format, but accepts `csv` for every file that is
 * not a zip archive.
 */
export function detectFormat(bytes: Uint8Array, named: ImportedFile['format'] | undefined): ImportedFile['format'] {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const isCompound = bytes[0] === 0xd0 && bytes[1] === 0xcf;
  const found = isArchive ? archiveFormat(bytes) : isCompound ? 'xls' : 'csv';
  if (named === undefined || named === found) return found;
  if (named === 'csv' && isArchive) throw invalid('format: is csv, but the file is an archive');
  if (named === 'csv') return 'csv';
  throw invalid(`format: is ${named}, but the file is not an .${named} file`);
}

function archiveFormat(bytes: Uint8Array): 'xlsx' | 'xlsb' | 'ods' {
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-directoryBytes);
  if (end.includes('workbook.bin')) return 'xlsb';
  return end.includes('content.xml') && end.includes('META-INF/manifest.xml') ? 'ods' : 'xlsx';
}
