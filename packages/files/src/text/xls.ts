import type { WorkBook } from '@e965/xlsx';
import { cellText, rowText } from './cell-text.ts';
import type { CompoundFile } from '../containers/compound-file.ts';
import { damaged } from '../format-error.ts';
import { readSummary } from '../containers/ole-properties.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { decryptXlsStream } from '../containers/xls-crypto.ts';
import { readWithSheetJs, sheetJsRows, xlsStreamName } from '../containers/sheetjs-reader.ts';

export async function decodeXls(file: CompoundFile, job: DecodeJob): Promise<DecodedFile> {
  const name = xlsStreamName(file);
  if (name === undefined) throw damaged('it contains no workbook');
  const stream = decryptXlsStream(file.read(name), job.password);
  const workbook = await readWithSheetJs(stream, {
    cellFormula: false,
    cellHTML: false,
    cellStyles: false,
    cellDates: true,
    UTC: true,
  });
  const out = new TextBuilder(job.limits.maxTextChars);
  const rows = writeSheets(workbook, out, job);
  const { title, author } = readSummary(file);
  return out.done(title, {
    format: 'xls',
    sheets: workbook.SheetNames.length,
    rows,
    ...(author === undefined ? {} : { author }),
  });
}

/** Writes every sheet with a heading and its rows as lines. Returns the number of rows. */
export function writeSheets(workbook: WorkBook, out: TextBuilder, job: DecodeJob): number {
  let rows = 0;
  for (const [sheet, grid] of sheetJsRows(workbook, job.limits.maxCells, 'Split it and upload the parts.')) {
    out.heading(1, sheet);
    for (const row of grid) {
      const text = Array.isArray(row) ? rowText(Array.from(row, displayValue)) : '';
      if (text === '') continue;
      rows++;
      out.line(text);
    }
  }
  return rows;
}

function displayValue(cell: unknown): string {
  if (typeof cell !== 'object' || cell === null || !('v' in cell)) return '';
  if ('t' in cell && cell.t === 'e' && 'w' in cell) return cellText(cell.w);
  return cellText(cell.v);
}
