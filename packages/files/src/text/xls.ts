import { cellText, rowText } from './cell-text.ts';
import type { CompoundFile } from '../containers/compound-file.ts';
import { damaged, FormatError } from '../format-error.ts';
import { readSummary } from '../containers/ole-properties.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from '../decode-types.ts';
import { decryptXlsStream } from '../containers/xls-crypto.ts';

export async function decodeXls(file: CompoundFile, job: DecodeJob): Promise<Decoded> {
  const name = ['Workbook', 'Book'].find((candidate) => file.has(candidate));
  if (name === undefined) throw damaged('it contains no workbook');
  // Only this stream reaches the library; macros and embedded objects do not.
  const stream = decryptXlsStream(file.read(name), job.password);
  const xlsx = await import('@e965/xlsx');
  let workbook;
  try {
    workbook = xlsx.read(stream, {
      type: 'array',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellStyles: false,
      cellDates: true,
      UTC: true,
    });
  } catch (error) {
    throw damaged('its cells cannot be read', error);
  }
  const out = new TextBuilder(job.limits.maxTextChars);
  let rows = 0;
  let cells = 0;
  for (const sheetName of workbook.SheetNames) {
    out.heading(1, sheetName);
    const grid: unknown = workbook.Sheets[sheetName]?.['!data'];
    if (!Array.isArray(grid)) continue;
    for (const row of grid) {
      if (!Array.isArray(row)) continue;
      cells += row.length;
      if (cells > job.limits.maxCells)
        throw new FormatError(
          'too_large',
          `The workbook contains more than ${job.limits.maxCells} cells. Split it and upload the parts.`,
        );
      const text = rowText(Array.from(row, displayValue));
      if (text === '') continue;
      rows++;
      out.line(text);
    }
  }
  const { title, author } = readSummary(file);
  return out.done(title, {
    format: 'xls',
    sheets: workbook.SheetNames.length,
    rows,
    ...(author === undefined ? {} : { author }),
  });
}

function displayValue(cell: unknown): string {
  if (typeof cell !== 'object' || cell === null || !('v' in cell)) return '';
  if ('t' in cell && cell.t === 'e' && 'w' in cell) return cellText(cell.w);
  return cellText(cell.v);
}
