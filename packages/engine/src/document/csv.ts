import type { Rect } from '../base/address.ts';
import type { SheetDocument } from './document.ts';
import type { BlockCell } from './objects/cell-contents.ts';
import { isDatePattern } from '../base/number-format.ts';
import { shownText } from './display-text.ts';
import type { SubSheet } from './objects/sub-sheet.ts';
import { CellError, type Scalar } from '../base/values.ts';

/** Thrown for CSV text that cannot be parsed. */
export class CsvError extends Error {
  /** One-based number of the line in which the error begins. */
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.name = 'CsvError';
    this.line = line;
  }
}

/**
 * Parses CSV text (RFC 4180) into records of fields. A BOM is skipped; LF, CRLF and CR each end a record. Throws
 * CsvError if a quoted field is not closed.
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  const end = text.length;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  while (at < end) {
    const record: string[] = [];
    for (;;) {
      let field: string;
      if (text.charCodeAt(at) === 34) {
        const opened = line;
        const parts: string[] = [];
        at++;
        for (;;) {
          const close = text.indexOf('"', at);
          if (close < 0) throw new CsvError(`line ${opened}: a quote is opened and never closed`, opened);
          const part = text.slice(at, close);
          for (let i = part.indexOf('\n'); i >= 0; i = part.indexOf('\n', i + 1)) line++;
          parts.push(part);
          at = close + 1;
          if (text.charCodeAt(at) !== 34) break;
          parts.push('"');
          at++;
        }
        // Text after a closing quote, up to the next separator, is part of the field.
        const stop = fieldEnd(text, at);
        field = parts.join('') + text.slice(at, stop);
        at = stop;
      } else {
        const stop = fieldEnd(text, at);
        field = text.slice(at, stop);
        at = stop;
      }
      record.push(field);
      if (text.charCodeAt(at) !== 44) break;
      at++;
    }
    records.push(record);
    if (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10) at += 2;
    else if (at < end) at++;
    line++;
  }
  return records;
}

function fieldEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 44 || code === 10 || code === 13) return i;
  }
  return text.length;
}

const numberPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Converts a CSV field to a number, boolean, formula or text. An empty field becomes null, which leaves its cell
 * unchanged.
 */
export function csvCell(field: string): BlockCell {
  if (field === '') return null;
  const first = field.charCodeAt(0);
  if (first === 61 && field.length > 1) return { formula: field };
  if (numberPattern.test(field)) {
    const value = Number(field);
    if (Number.isFinite(value)) return value;
  }
  if (field.length <= 5) {
    const lower = field.toLowerCase();
    if (lower === 'true') return true;
    if (lower === 'false') return false;
  }
  return field;
}

/**
 * Returns the values of a rectangle as CSV, down to the last used row. Dates and times are formatted, other numbers
 * have all digits. Every record ends with a line feed.
 */
export function toCsv(document: SheetDocument, sheet: SubSheet, rect: Rect): string {
  const lines: string[] = [];
  const dates = new Map<string, boolean>();
  const last = Math.min(rect.bottom, sheet.sheet.lastRow);
  for (let row = rect.top; row <= last; row++) {
    let line = '';
    for (let col = rect.left; col <= rect.right; col++) {
      if (col > rect.left) line += ',';
      line += quoted(csvText(document, sheet, row, col, dates));
    }
    lines.push(line, '\n');
  }
  return lines.join('');
}

function csvText(
  document: SheetDocument,
  sheet: SubSheet,
  row: number,
  col: number,
  dates: Map<string, boolean>,
): string {
  const value: Scalar = sheet.sheet.read(row, col);
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof CellError) return value.text;
  const pattern = document.hasFormats(sheet, col) ? document.numberFormat(sheet, row, col) : 'General';
  let date = dates.get(pattern);
  if (date === undefined) {
    date = pattern !== 'General' && isDatePattern(pattern);
    dates.set(pattern, date);
  }
  if (date) return shownText(value, pattern);
  // `String` returns the shortest text that parses back to the same number.
  return String(value);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
