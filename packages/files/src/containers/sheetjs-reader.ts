import type { ParsingOptions, WorkBook } from '@e965/xlsx';
import { maxCols, maxRows } from '@sheaf/engine';
import type { CompoundFile } from './compound-file.ts';
import { damaged, FormatError } from '../format-error.ts';

/** Returns the name of the stream that holds the workbook in an .xls file; undefined if there is none. */
export function xlsStreamName(file: CompoundFile): string | undefined {
  return ['Workbook', 'Book'].find((candidate) => file.has(candidate));
}

/**
 * Parses the decrypted data of a workbook with the SheetJS library. Callers pass only the streams or files that the
 * cells need, without macros.
 */
export async function readWithSheetJs(stream: Uint8Array, options: ParsingOptions): Promise<WorkBook> {
  const { read, set_cptable } = await import('@e965/xlsx');
  // Excel 95 and older store text in the code page of the system that wrote the file.
  set_cptable(await import('@e965/xlsx/dist/cpexcel'));
  try {
    // Pass a Buffer. From other arrays, the library would read past the end of the data if a damaged file states a text
    // length of four billion characters.
    const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
    return read(bytes, { type: 'buffer', dense: true, ...options });
  } catch (error) {
    throw damaged('its cells cannot be read', error);
  }
}

/**
 * Returns the rows of every sheet of a workbook that SheetJS has read; an empty row may be undefined. Throws if the
 * rows have more than `maxCells` cells, counting empty cells before the last cell of a row. `remedy` is the advice at
 * the end of that error message.
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
