import { fail } from '../operation/errors.ts';
import type { FileFormat } from '../ports/documents.ts';
import { uploaderOf } from '../ports/import-uploads.ts';

/** Only who asked for the upload may use what was uploaded. */
export function checkFileKey(key: string, userId: string): string {
  if (uploaderOf(key) !== userId)
    throw fail(
      'no_such_object',
      `file_key: there is no upload ${JSON.stringify(key.slice(0, 100))} of yours; call pre_import to create one`,
    );
  return key;
}

/** A document's title from the name of a file. */
export function titleOf(fileName: string): string {
  const base = fileName.replace(/^.*[\\/]/, '').replace(/\.(?:xlsx|csv)$/i, '');
  return base === '' ? fileName : base;
}

/** What the file is, by its own bytes: an xlsx is an archive, a csv is text. */
export function formatOf(bytes: Uint8Array, named: FileFormat | undefined): FileFormat {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw fail(
      'invalid_parameter',
      'content: is a legacy .xls file or password-protected; save it as .xlsx without a password',
    );
  if (named === 'xlsx' && !isArchive)
    throw fail('invalid_parameter', 'format: is xlsx, but the file is not an .xlsx file');
  if (named === 'csv' && isArchive) throw fail('invalid_parameter', 'format: is csv, but the file is an archive');
  return isArchive ? 'xlsx' : 'csv';
}
