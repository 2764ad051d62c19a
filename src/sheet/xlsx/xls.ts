import { openCompound } from '../../formats/compound-file.ts';
import { damaged, FormatError } from '../../formats/format-error.ts';
import { defaultLimits } from '../../formats/types.ts';
import { plainWorkbook } from '../../formats/xls-crypto.ts';

export interface FromXls {
  /** The same workbook as an xlsx file. */
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

/** A workbook of the old kind, by a reader that others maintain, as one of the kind that is read here. */
export async function readXls(bytes: Uint8Array): Promise<FromXls> {
  const file = openCompound(bytes);
  const name = ['Workbook', 'Book'].find((candidate) => file.has(candidate));
  if (name === undefined || file.has('EncryptedPackage'))
    throw new FormatError(
      'encrypted',
      'The file holds no workbook that can be read: it is password-protected or of another kind. Save it without a password.',
    );
  // Only this stream reaches the library: macros and embedded objects stay behind.
  const stream = opened(file.read(name));
  const xlsx = await import('@e965/xlsx');
  let workbook;
  try {
    workbook = xlsx.read(stream, { type: 'array', dense: true, cellFormula: true, cellNF: true, cellStyles: true });
  } catch (error) {
    throw damaged('its cells cannot be read', error);
  }
  let cells = 0;
  for (const sheet of Object.values(workbook.Sheets)) {
    const grid: unknown = sheet['!data'];
    if (Array.isArray(grid)) for (const row of grid) cells += Array.isArray(row) ? row.length : 0;
    if (cells > defaultLimits.maxCells)
      throw new FormatError(
        'too_large',
        `The workbook contains more than ${defaultLimits.maxCells} cells. Split it and import the parts.`,
      );
  }
  const written: unknown = xlsx.write(workbook, {
    type: 'array',
    bookType: 'xlsx',
    cellStyles: true,
    compression: true,
  });
  return {
    bytes: new Uint8Array(written as ArrayBuffer),
    warnings: [
      'of a file in the old .xls format, values, formulas, number formats, merges, sizes, names, links and comments are read; ' +
        'fonts, colors, borders, charts, pictures and macros were left out: save it as .xlsx to keep them',
    ],
  };
}

/** What Excel encrypted by itself opens; what its user chose a password for does not, as none can be sent here. */
function opened(stream: Uint8Array): Uint8Array {
  try {
    return plainWorkbook(stream, undefined);
  } catch (error) {
    if (!(error instanceof FormatError) || error.word !== 'encrypted') throw error;
    throw new FormatError('encrypted', 'The workbook is password-protected. Save it without a password.', {
      cause: error,
    });
  }
}
