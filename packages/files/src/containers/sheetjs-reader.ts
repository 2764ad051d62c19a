import type { ParsingOptions, WorkBook } from '@e965/xlsx';
import { maxCols, maxRows } from '@sheaf/engine';
import type { CompoundFile } from './compound-file.ts';
import { damaged, FormatError } from '../format-error.ts';

/** Returns the name of the workbook stream; undefined if the file has none. */
export function xlsStreamName(file: CompoundFile): string | undefined {
  return ['Workbook', 'Book'].find((candidate) => file.has(candidate));
}

/**
 * Parses a decrypted workbook stream with SheetJS. The library gets only this stream, never macros or embedded objects.
 */
export async function readWithSheetJs(stream: Uint8Array, options: ParsingOptions): Promise<WorkBook> {
  const { read, set_cptable } = await import('@e965/xlsx');
  // Excel 95 and older store text in the code page of the system that wrote the file.
  set_cptable(await import('@e965/xlsx/dist/cpexcel'));
  try {
    // Pass a Buffer: for other arrays, the library would read a text with a false length of four billion characters
    // past the end of the data.
    const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
    return read(bytes, { type: 'buffer', dense: true, ...options });
  } catch (error) {
    throw damaged('its cells cannot be read', error);
  }
}

/**
 * Returns the rows of every sheet; a row may be undefined. Throws if the workbook has more than `maxCells` cells;
 * `remedy` is the advice in that error.
 */
export function sheetJsRows(workbook: WorkBook, maxCells: number, remedy: string): [sheet: string, rows: unknown[]][] {
  let cells = 0;
  return workbook.SheetNames.map((name) => {
    const rows: unknown = workbook.Sheets[name]?.['!data'];
    if (!Array.isArray(rows)) return [name, []];
    const refuse = (what: string, number: number): never => {
      throw damaged(`the sheet "${name}" has a cell in ${what} ${number}`);
    };
    // The library does not validate row and column numbers, and a loop over four billion of them would hang.
    if (rows.length > maxRows) refuse('row', rows.length);
    for (const row of rows) {
      if (!Array.isArray(row)) continue;
      if (row.length > maxCols) refuse('column', row.length);
      cells += row.length;
      if (cells > maxCells)
        throw new FormatError('too_large', `The workbook contains more than ${maxCells} cells. ${remedy}`);
    }
    return [name, rows];
  });
}
