import { damaged, FormatError } from './format-error.ts';
import { cleanArchive, coreProperties } from './office-container.ts';
import { cellText, rowText } from './cells.ts';
import { checkWorksheet } from './xlsx-guard.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, Decoded } from './types.ts';
import type { ZipArchive } from './zip-guard.ts';

// A dense grid past this size is read row by row instead of as a whole.
const DENSE_CELLS = 2_000_000;
const unread = /^xl\/(?:theme|media|drawings|charts|embeddings|pivotCache|pivotTables|externalLinks|calcChain|printerSettings|ctrlProps|activeX|slicers|slicerCaches|timelines)/;

export async function decodeXlsx(archive: ZipArchive, job: DecodeJob): Promise<Decoded> {
  let box = 0;
  let cells = 0;
  const clean = cleanArchive(archive, (name) => !unread.test(name) && name !== 'xl/calcChain.xml', (name, xml) => {
    if (!/^xl\/(?:work|chart|macro|dialog)sheets\//.test(name) || name.endsWith('.rels')) return;
    const found = checkWorksheet(xml, name);
    box = Math.max(box, found.box);
    cells += found.cells;
    if (cells > job.limits.maxCells) throw new FormatError('too_large', `The workbook holds more than ${job.limits.maxCells} cells. Split it and upload the parts.`);
  });
  const { readXlsx, streamXlsxRows } = await import('hucre/xlsx');
  const out = new TextBuilder(job.limits.maxTextChars);
  const dense = box <= DENSE_CELLS;
  const names: string[] = [];
  const workbook = await readXlsx(clean, dense ? {} : {
    sheets(info) {
      names.push(info.name);
      return false;
    },
  });
  let rows = 0;
  const row = (values: readonly unknown[]): void => {
    const text = rowText(values.map((value) => cellText(value)));
    if (text === '') return;
    rows++;
    out.line(text);
  };
  if (dense) {
    for (const sheet of workbook.sheets) {
      out.heading(1, sheet.name);
      for (const values of sheet.rows) row(values);
    }
  } else {
    for (const [index, name] of names.entries()) {
      out.heading(1, name);
      for await (const { values } of streamXlsxRows(clean, { sheet: index })) row(values);
    }
  }
  const sheets = dense ? workbook.sheets.length : names.length;
  if (sheets === 0) throw damaged('it has no sheets');
  const { title, author } = coreProperties(archive);
  return out.done(title, { format: 'xlsx', sheets, rows, ...(author === undefined ? {} : { author }) });
}
