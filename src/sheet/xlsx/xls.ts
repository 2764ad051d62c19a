import { openCompound } from '../../formats/compound-file.ts';
import { damaged, FormatError } from '../../formats/format-error.ts';
import { defaultLimits } from '../../formats/types.ts';
import { encryptionOf } from '../../formats/xls.ts';

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
  const stream = file.read(name);
  if (encryptionOf(stream) !== 'none')
    throw new FormatError('encrypted', 'The workbook is password-protected. Save it without a password.');
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
