import { decryptXlsStream } from '../containers/xls-crypto.ts';
import { xlsStreamName } from '../containers/sheetjs-reader.ts';
import { declaredMainPart } from '../containers/package-parts.ts';
import { isCompoundFile, openCompound } from '../containers/compound-file.ts';
import { defaultLimits } from '../decode-types.ts';
import { FormatError } from '../format-error.ts';
import { isZip, openZip } from '../zip/reader.ts';
import { isBiff8, readBiffWorkbook } from './read-biff-workbook.ts';
import { workbookToXlsx } from './workbook-to-xlsx.ts';

export interface ConvertedWorkbook {
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

/** Converts an .xls, .xlsb or .ods workbook to xlsx. Other files are returned unchanged. */
export async function convertToXlsx(bytes: Uint8Array): Promise<ConvertedWorkbook> {
  const warnings = new Set<string>();
  if (isCompoundFile(bytes)) {
    const stream = workbookStream(bytes);
    const workbook = isBiff8(stream)
      ? readBiffWorkbook(stream, warnings)
      : await (await import('./sheetjs-workbook.ts')).readOldXls(stream, warnings);
    return { bytes: workbookToXlsx(workbook), warnings: [...warnings] };
  }
  const archive = isZip(bytes) ? openZip(bytes, defaultLimits) : undefined;
  const isXlsb = archive !== undefined && declaredMainPart(archive)?.endsWith('.bin') === true;
  const isOds = archive?.has('content.xml') === true;
  if (!archive || (!isXlsb && !isOds)) return { bytes, warnings: [] };
  const { readOds, readXlsb } = await import('./sheetjs-workbook.ts');
  const workbook = await (isXlsb ? readXlsb : readOds)(archive, warnings);
  return { bytes: workbookToXlsx(workbook), warnings: [...warnings] };
}

/**
 * Returns the workbook stream of an .xls file, decrypted if necessary. Only Excel's default password is tried, because
 * the import has no password parameter.
 */
function workbookStream(bytes: Uint8Array): Uint8Array {
  const file = openCompound(bytes);
  const name = xlsStreamName(file);
  if (name === undefined || file.has('EncryptedPackage'))
    throw new FormatError(
      'encrypted',
      'The file holds no workbook that can be read: it is password-protected or of another kind. Save it without a password.',
    );
  try {
    return decryptXlsStream(file.read(name), undefined);
  } catch (error) {
    if (!(error instanceof FormatError) || error.word !== 'encrypted') throw error;
    throw new FormatError('encrypted', 'The workbook is password-protected. Save it without a password.', {
      cause: error,
    });
  }
}
