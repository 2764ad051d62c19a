import {
  csvCell,
  parseCsv,
  toCsv,
  SheetDocument,
  recalculateDocument,
  newCols,
  newRows,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { parseUserInput } from '../cells/user-input.ts';
import { BudgetExceeded, FormulaSyntaxError, loadRows, type Scalar } from '@sheaf/engine';

const rowsPerChunk = 4096;

/**
 * Writes a sub-sheet as CSV, from A1 to the last cell with content. With `safe`, texts that look like formulas are
 * escaped.
 */
export function writeCsv(document: SheetDocument, sub: SubSheet, safe: boolean): Uint8Array {
  const { lastRow, lastCol } = sub.sheet;
  const pieces: Buffer[] = [];
  for (let top = 0; top <= lastRow; top += rowsPerChunk) {
    const bottom = Math.min(lastRow, top + rowsPerChunk - 1);
    const text = toCsv(document, sub, { top, left: 0, bottom, right: lastCol });
    pieces.push(Buffer.from(safe ? escapeFormulas(text) : text));
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/**
 * Matches texts that begin with a character that makes some spreadsheet programs read the text as a formula. Includes
 * the full-width forms of = + - and @.
 */
const formulaPrefix = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?$/;

/**
 * Adds an apostrophe before every field that a spreadsheet program could run as a formula. Plain signed numbers are
 * left unchanged.
 */
function escapeFormulas(csv: string): string {
  let out = '';
  let at = 0;
  while (at < csv.length) {
    const isQuoted = csv.charCodeAt(at) === 34;
    const start = isQuoted ? at + 1 : at;
    const end = isQuoted ? closing(csv, start) : fieldEnd(csv, start);
    const field = csv.slice(start, end);
    const mark = formulaPrefix.test(field) && !plainNumber.test(field) ? "'" : '';
    const next = isQuoted ? end + 1 : end;
    out += isQuoted ? `"${mark}${field}"` : mark + field;
    out += csv.charAt(next);
    at = next + 1;
  }
  return out;
}

function closing(csv: string, from: number): number {
  for (let at = csv.indexOf('"', from); at >= 0; at = csv.indexOf('"', at + 2))
    if (csv.charCodeAt(at + 1) !== 34) return at;
  return csv.length;
}

function fieldEnd(csv: string, from: number): number {
  for (let at = from; at < csv.length; at++) {
    const code = csv.charCodeAt(at);
    if (code === 44 || code === 10) return at;
  }
  return csv.length;
}

/** Parses a CSV field like typed text, and sets the number format implied by its notation. */
function parseTypedField(
  document: SheetDocument,
  sub: SubSheet,
  row: number,
  col: number,
  field: string,
): ReturnType<typeof csvCell> {
  const { content, pattern } = parseUserInput(field, 'General');
  if (pattern !== undefined) sub.styles.set(col, row, row, document.styles.intern({ numberFormat: pattern }));
  return 'formula' in content ? { formula: content.formula } : content.value;
}

/**
 * Creates a document with one sub-sheet from CSV text. With `typed`, fields are parsed as if a user typed them. If the
 * calculation of the formulas exceeds `budget`, they keep their text as value, with a warning. Throws CsvError for
 * invalid CSV, and RangeError if the data exceeds the size of a sheet.
 */
export function readCsvDocument(
  text: string,
  sheetId: string,
  now: number,
  budget: number,
  typed = false,
): { document: SheetDocument; warnings: string[] } {
  const document = new SheetDocument();
  const sub = document.add(sheetId, 'worksheet', 'Sheet1', 0, 1);
  const warnings: string[] = [];
  const formulas: { row: number; col: number; text: string }[] = [];
  const records = parseCsv(text);
  const rows = records.map((record, row) =>
    record.map((field, col): Scalar => {
      const cell = typed ? parseTypedField(document, sub, row, col, field) : csvCell(field);
      if (typeof cell !== 'object' || cell === null) return cell;
      if ('formula' in cell) formulas.push({ row, col, text: cell.formula });
      return field;
    }),
  );
  loadRows(document.workbook, sub.sheet, 0, 0, rows);
  let lost = 0;
  for (const { row, col, text: formula } of formulas) {
    try {
      document.workbook.setFormula(sub.sheet, row, col, formula);
    } catch (error) {
      if (!(error instanceof FormulaSyntaxError)) throw error;
      lost++;
    }
  }
  if (lost > 0) warnings.push(`${lost} fields begin with = but are not formulas; they were kept as text`);
  sub.restore({ size: [Math.max(newRows, sub.sheet.lastRow + 1), Math.max(newCols, sub.sheet.lastCol + 1)] });
  document.clock = { now, seed: 0 };
  try {
    recalculateDocument(document, { now, seed: 0, limit: budget });
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    document.workbook.acceptValues();
    warnings.push('the formulas take too long to compute; they show their text until they are changed');
  }
  return { document, warnings };
}
