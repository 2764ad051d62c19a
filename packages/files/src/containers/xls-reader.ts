import type { ParsingOptions, WorkBook } from '@e965/xlsx';
import type { CompoundFile } from './compound-file.ts';
import { damaged, FormatError } from '../format-error.ts';

/** Name of the stream that holds the workbook; undefined if the file has none. */
export function xlsStreamName(file: CompoundFile): string | undefined {
  return ['Workbook', 'Book'].find((candidate) => file.has(candidate));
}

/** Reads a decrypted workbook stream with the SheetJS library; macros and embedded objects never reach the library. */
export async function readXls(stream: Uint8Array, options: ParsingOptions): Promise<WorkBook> {
  const { read } = await import('@e965/xlsx');
  try {
    return read(stream, { type: 'array', dense: true, ...options });
  } catch (error) {
    throw damaged('its cells cannot be read', error);
  }
}

/** Returns the rows of every sheet, where a row may be missing; `remedy` says what to do with a workbook that is too large. */
export function xlsRows(workbook: WorkBook, maxCells: number, remedy: string): [sheet: string, rows: unknown[]][] {
  let cells = 0;
  return workbook.SheetNames.map((name) => {
    const rows: unknown = workbook.Sheets[name]?.['!data'];
    if (!Array.isArray(rows)) return [name, []];
    for (const row of rows) {
      cells += Array.isArray(row) ? row.length : 0;
      if (cells > maxCells)
        throw new FormatError('too_large', `The workbook contains more than ${maxCells} cells. ${remedy}`);
    }
    return [name, rows];
  });
}
