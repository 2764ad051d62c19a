import { damaged } from '../format-error.ts';
import { readWithSheetJs } from '../containers/sheetjs-reader.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { openZip } from '../zip/reader.ts';
import { ZipWriter } from '../zip/writer.ts';
import { isXlsb } from './file-signatures.ts';
import { TextBuilder } from './text-builder.ts';
import { writeSheets } from './xls.ts';

const cellParts = /^(?:\[Content_Types\]\.xml|_rels\/[^/]*|xl\/(?:_rels\/[^/]*|(?:worksheets\/)?[^/]*\.bin))$/;

/**
 * Decodes an .xlsb workbook with the library SheetJS. SheetJS receives only the parts with cells, already unpacked
 * under the size limits for archives.
 */
export async function decodeXlsb(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const archive = openZip(bytes, job.limits);
  if (!isXlsb(archive)) throw damaged('it contains no workbook');
  const parts = new ZipWriter(new Date(0));
  for (const name of archive.entries.keys())
    if (cellParts.test(name) && name !== 'xl/vbaProject.bin') parts.store(name, archive.read(name));
  const workbook = await readWithSheetJs(parts.finish(), {
    cellFormula: false,
    cellHTML: false,
    cellDates: true,
    UTC: true,
  });
  const out = new TextBuilder(job.limits.maxTextChars);
  const rows = writeSheets(workbook, out, job);
  return out.done(undefined, { format: 'xlsb', sheets: workbook.SheetNames.length, rows });
}
