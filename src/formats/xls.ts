import { cellText, rowText } from './cells.ts';
import type { CompoundFile } from './compound-file.ts';
import { damaged, FormatError } from './format-error.ts';
import { summaryOf } from './ole-properties.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from './types.ts';

const filePass = 0x002f;
const endOfFile = 0x000a;

export async function decodeXls(file: CompoundFile, job: DecodeJob): Promise<Decoded> {
  const name = ['Workbook', 'Book'].find((candidate) => file.has(candidate));
  if (name === undefined) throw damaged('it contains no workbook');
  // Only this stream reaches the library: macros and embedded objects stay behind.
  const stream = file.read(name);
  const encryption = encryptionOf(stream);
  if (encryption === 'strong' || (encryption === 'weak' && (job.password ?? '') === '')) {
    throw new FormatError(
      'encrypted',
      encryption === 'weak'
        ? 'The workbook is password-protected. Send the password with it (file_info.password), or save it without one.'
        : 'The workbook is protected with legacy .xls encryption, which cannot be opened here. Save it as ' +
            '.xlsx (a password is fine there), or without a password.',
    );
  }
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
      password: job.password,
    });
  } catch (error) {
    if (error instanceof Error && /password/i.test(error.message)) {
      throw new FormatError(
        'wrong_password',
        'The password is wrong for the workbook. Check it and add the file again with the correct one.',
        { cause: error },
      );
    }
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
      const text = rowText(Array.from(row, shownValue));
      if (text === '') continue;
      rows++;
      out.line(text);
    }
  }
  const { title, author } = summaryOf(file);
  return out.done(title, {
    format: 'xls',
    sheets: workbook.SheetNames.length,
    rows,
    ...(author === undefined ? {} : { author }),
  });
}

function shownValue(cell: unknown): string {
  if (typeof cell !== 'object' || cell === null || !('v' in cell)) return '';
  if ('t' in cell && cell.t === 'e' && 'w' in cell) return cellText(cell.w);
  return cellText(cell.v);
}

/** XOR obfuscation is weak enough for the library to undo; RC4 is not offered. */
export function encryptionOf(stream: Uint8Array): 'none' | 'weak' | 'strong' {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let at = 0; at + 6 <= stream.length;) {
    const type = view.getUint16(at, true);
    if (type === filePass) return view.getUint16(at + 4, true) === 0 ? 'weak' : 'strong';
    if (type === endOfFile) return 'none';
    at += 4 + view.getUint16(at + 2, true);
  }
  return 'none';
}
