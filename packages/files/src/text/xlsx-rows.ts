import { damaged } from '../format-error.ts';
import { readText, unescapeText, type XlsxLookups } from './xlsx-strings-and-styles.ts';
import { closeToken, endToken, openToken, type XmlReader } from '../xml/xml-reader.ts';

const lastRow = 1_048_576;
const lastColumn = 16_384;
/** Maximum number of empty cells kept between two values: a file of a few bytes can claim sixteen thousand. */
const widestGap = 100;
const msPerDay = 86_400_000;
const days1904 = 1462;

export interface RowVisitor {
  /** Called for each cell; the visitor may throw to stop. */
  cell(): void;
  /** Called with the values of a row; never empty. */
  row(values: readonly unknown[]): void;
}

/** Reads a worksheet row by row; throws for a reference outside the grid. */
export function readRows(reader: XmlReader, part: string, book: XlsxLookups, visitor: RowVisitor): void {
  let values: unknown[] = [];
  let column = 0;
  let shown = 0;
  const flush = (): void => {
    if (values.length > 0) visitor.row(values);
    values = [];
    column = 0;
    shown = 0;
  };
  for (let token = reader.next(); token !== endToken; token = reader.next()) {
    if (token !== openToken) continue;
    const { name } = reader;
    if (name === 'c') {
      visitor.cell();
      const ref = reader.attribute('r');
      const place = ref === undefined ? column + 1 : cornerOf(ref, part).column;
      if (place > lastColumn) throw damaged(`"${part}" contains a cell past the last column`);
      column = place;
      const value = readCell(reader, book);
      if (value === undefined) continue;
      for (let gap = Math.min(widestGap, place - shown - 1); gap > 0; gap--) values.push(undefined);
      values.push(value);
      shown = place;
    } else if (name === 'row') {
      flush();
      const row = reader.attribute('r');
      if (row !== undefined) checkRow(row, row, part);
    } else if (name === 'dimension' || name === 'mergeCell') {
      for (const corner of (reader.attribute('ref') ?? '').split(':')) if (corner !== '') cornerOf(corner, part);
    }
  }
  flush();
  if (reader.depth > 0) throw damaged(`"${part}" is truncated`);
}

/** Reads the cell just opened, up to its end. */
function readCell(reader: XmlReader, book: XlsxLookups): unknown {
  const type = reader.attribute('t') ?? 'n';
  const look = Number(reader.attribute('s') ?? 0);
  const outside = reader.depth - 1;
  let raw = '';
  let text: string | undefined;
  for (;;) {
    const token = reader.next();
    if (token === endToken) throw damaged('one of its cells is truncated');
    if (token === closeToken && reader.depth === outside) break;
    if (token !== openToken) continue;
    const { name } = reader;
    if (name === 'v') raw = reader.content();
    else if (name === 'is') text = readText(reader);
    else reader.skip();
  }
  if (text !== undefined) return text;
  if (raw === '') return undefined;
  if (type === 's') return book.texts[Number(raw)];
  if (type === 'str' || type === 'inlineStr' || type === 'e') return unescapeText(raw);
  if (type === 'b') return raw === '1' || raw === 'true';
  if (type === 'd')
    return new Date(/[zZ]|[+-]\d\d:\d\d$/.test(raw) ? raw : `${raw}${raw.includes('T') ? '' : 'T00:00'}Z`);
  const number = Number(raw);
  if (!Number.isFinite(number)) return undefined;
  return book.dateStyles[look] ? dateOf(number, book.date1904) : number;
}

/** The 1900 date system has a 29 February 1900 (day 60) that never existed. */
function dateOf(serial: number, is1904: boolean): Date {
  const days = is1904 ? serial + days1904 : serial < 60 ? serial + 1 : serial;
  return new Date(Math.round((days - 25_569) * msPerDay));
}

function cornerOf(reference: string, part: string): { column: number } {
  const match = /^\s*\$?([A-Za-z]{1,7})\$?([0-9]{1,15})\s*$/.exec(reference);
  if (match === null) throw damaged(`"${part}" names the cell "${reference.slice(0, 40)}", which is not a cell`);
  let column = 0;
  for (const letter of match[1]!.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  if (column > lastColumn)
    throw damaged(`"${part}" names the cell "${reference.slice(0, 40)}" past the last column XFD`);
  checkRow(match[2]!, reference, part);
  return { column };
}

function checkRow(raw: string, reference: string, part: string): void {
  const row = Number(raw);
  if (!Number.isInteger(row) || row < 1 || row > lastRow)
    throw damaged(`"${part}" names "${reference.slice(0, 40)}", a row outside 1 to ${lastRow}`);
}
