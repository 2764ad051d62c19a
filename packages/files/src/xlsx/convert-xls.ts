import type { Range, WorkBook } from '@e965/xlsx';
import { openCompound } from '../containers/compound-file.ts';
import { damaged, FormatError } from '../format-error.ts';
import { defaultLimits } from '../decode-types.ts';
import { decryptXlsStream } from '../containers/xls-crypto.ts';
import { readXls, xlsRows, xlsStreamName } from '../containers/xls-reader.ts';

export interface ConvertedXls {
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

/** Converts an .xls workbook to xlsx with SheetJS. */
export async function xlsToXlsx(bytes: Uint8Array): Promise<ConvertedXls> {
  const file = openCompound(bytes);
  const name = xlsStreamName(file);
  if (name === undefined || file.has('EncryptedPackage'))
    throw new FormatError(
      'encrypted',
      'The file holds no workbook that can be read: it is password-protected or of another kind. Save it without a password.',
    );
  const workbook = await readXls(decryptDefault(file.read(name)), {
    cellFormula: true,
    cellNF: true,
    cellStyles: true,
  });
  const { utils, write } = await import('@e965/xlsx');
  let written: unknown;
  try {
    fillEmptyRows(workbook, utils.encode_range);
    written = write(workbook, { type: 'array', bookType: 'xlsx', cellStyles: true, compression: true });
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw damaged('its cells cannot be read', error);
  }
  return {
    bytes: new Uint8Array(written as ArrayBuffer),
    warnings: [
      'of a file in the old .xls format, values, formulas, number formats, merges, sizes, names, links and comments are read; ' +
        'fonts, colors, borders, charts, pictures and macros were left out: save it as .xlsx to keep them',
    ],
  };
}

/**
 * Inserts the empty rows that the library's reader omits and its writer requires. Also sets the used range from the
 * cells, because the declared range can be false.
 */
function fillEmptyRows(workbook: WorkBook, encodeRange: (range: Range) => string): void {
  for (const [name, rows] of xlsRows(workbook, defaultLimits.maxCells, 'Split it and import the parts.')) {
    const sheet = workbook.Sheets[name];
    if (!sheet?.['!data']) continue;
    let cols = 0;
    for (let row = 0; row < rows.length; row++) {
      const found = rows[row];
      const length = Array.isArray(found) ? found.length : 0;
      if (length === 0) rows[row] = [];
      cols = Math.max(cols, length);
    }
    if (cols > 0) sheet['!ref'] = encodeRange({ s: { r: 0, c: 0 }, e: { r: rows.length - 1, c: cols - 1 } });
    else delete sheet['!ref'];
  }
}

/**
 * Decrypts a workbook that Excel encrypted with its default password. Throws for other passwords, because the import
 * has no password parameter.
 */
function decryptDefault(stream: Uint8Array): Uint8Array {
  try {
    return decryptXlsStream(stream, undefined);
  } catch (error) {
    if (!(error instanceof FormatError) || error.word !== 'encrypted') throw error;
    throw new FormatError('encrypted', 'The workbook is password-protected. Save it without a password.', {
      cause: error,
    });
  }
}
