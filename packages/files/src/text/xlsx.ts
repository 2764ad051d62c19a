import { cellText, rowText } from './cell-text.ts';
import { damaged, FormatError } from '../format-error.ts';
import { coreProperties } from '../containers/office-container.ts';
import { partTitle } from '../containers/package-parts.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { readDateFormats } from '../xlsx/number-formats.ts';
import { openWorkbook } from '../xlsx/open-workbook.ts';
import { eachSharedString, readStringItem } from '../xlsx/read-shared-strings.ts';
import { CellScanner, parseCellTime } from '../xlsx/scan-cells.ts';
import { unescapeCellText } from '../xlsx/xml-escape.ts';
import { endToken, openToken, XmlReader } from '../xml/xml-reader.ts';
import { BytesSource } from '../xml/xml-source.ts';
import type { ZipArchive } from '../zip/reader.ts';

/**
 * Maximum number of empty cells written between two values. Without it, a tiny file with a value in column 16,384 would
 * produce a long text.
 */
const widestGap = 100;
const msPerDay = 86_400_000;
const days1904 = 1462;

/** Lists of the workbook, such as the shared strings, to which cells refer by index. */
interface XlsxLookups {
  readonly texts: readonly string[];
  /** For each cell format, whether it shows numbers as dates. */
  readonly dateFormats: readonly boolean[];
  readonly date1904: boolean;
}

export async function decodeXlsx(archive: ZipArchive, job: DecodeJob): Promise<DecodedFile> {
  const { relations, partOf, entries, date1904 } = openWorkbook(archive, partTitle);
  if (entries.length === 0) throw damaged('it has no sheets');
  const open = (part: string): XmlReader => new XmlReader(new BytesSource(archive.read(part)), partTitle(part));
  const opened = (part = ''): XmlReader | undefined => (archive.has(part) ? open(part) : undefined);
  const strings = opened(partOf('sharedStrings'));
  const styles = opened(partOf('styles'));
  const texts: string[] = [];
  if (strings) eachSharedString(strings, ({ text }) => texts.push(text), undefined, Infinity);
  const book: XlsxLookups = { texts, dateFormats: styles ? readDateFormats(styles) : [], date1904 };
  const out = new TextBuilder(job.limits.maxTextChars);
  let cells = 0;
  let rows = 0;
  const count = (): void => {
    if (++cells > job.limits.maxCells)
      throw new FormatError(
        'too_large',
        `The workbook contains more than ${job.limits.maxCells} cells. Split it and upload the parts.`,
      );
  };
  const line = (text: string): void => {
    rows++;
    out.line(text);
  };
  for (const { name, relation } of entries) {
    const target = relations.get(relation);
    out.page(name);
    out.heading(1, name);
    // Only worksheets are read, because chart sheets and dialog sheets have no cells.
    if (target?.kind === 'worksheet' && !target.isExternal)
      readSheet(open(target.target), target.target, book, count, line);
  }
  const { title, author } = coreProperties(archive);
  return out.done(title, { format: 'xlsx', sheets: entries.length, rows, ...(author === undefined ? {} : { author }) });
}

/** Reads a worksheet row by row. Calls `line` with the text of each row that is not empty. */
function readSheet(
  reader: XmlReader,
  part: string,
  book: XlsxLookups,
  count: () => void,
  line: (text: string) => void,
): void {
  let texts: string[] = [];
  let nextCol = 0;
  const flush = (): void => {
    const text = rowText(texts);
    if (text !== '') line(text);
    texts = [];
    nextCol = 0;
  };
  const add = (col: number, text: string): void => {
    for (let gap = Math.min(widestGap, col - nextCol); gap > 0; gap--) texts.push('');
    texts.push(text);
    nextCol = col + 1;
  };
  const cells = new CellScanner(reader, part, {
    row: flush,
    cell: count,
    inline: (_row, col) => add(col, readStringItem(reader, undefined, Infinity).text),
    value: (_row, col, type, raw, format) => {
      const value = valueOf(type, raw, format, book);
      if (value !== undefined) add(col, cellText(value));
    },
  });
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    if (token !== openToken) continue;
    if (reader.name === 'sheetData') cells.read();
    else if (reader.name === 'dimension' || reader.name === 'mergeCell') {
      // Validate the merged ranges too: `place` throws for a reference outside the grid, because such a file is damaged
      // or malicious.
      for (const corner of (reader.attribute('ref') ?? '').split(':'))
        if (corner !== '') cells.place(corner.replaceAll('$', '').trim());
    }
  }
  flush();
  if (reader.depth > 0) throw damaged(`"${part}" is truncated`);
}

function valueOf(type: string, raw: string, format: number, book: XlsxLookups): unknown {
  switch (type) {
    case 's':
      return book.texts[Number(raw)];
    case 'str':
    case 'inlineStr':
    case 'e':
      return unescapeCellText(raw);
    case 'b':
      return raw === '1' || raw === 'true';
    case 'd':
      return new Date(parseCellTime(raw));
    default: {
      const number = Number(raw);
      if (!Number.isFinite(number)) return undefined;
      return book.dateFormats[format] ? dateOf(number, book.date1904) : number;
    }
  }
}

/** Converts a serial number to a date. The 1900 date system counts a 29 February 1900 (day 60) that never existed. */
function dateOf(serial: number, is1904: boolean): Date {
  const days = is1904 ? serial + days1904 : serial < 60 ? serial + 1 : serial;
  return new Date(Math.round((days - 25_569) * msPerDay));
}
