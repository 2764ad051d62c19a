import { cellErrors, errorTexts } from '../base/values.ts';
import { isDigit, isSpace, isWord, wordEnd } from './characters.ts';
import { readAfterSheet, readLostReference, readReference } from './lex-reference.ts';
import { bracketEnd } from './bracket-end.ts';
import { readWord } from './lex-identifier.ts';
import { readStored } from './table-reference.ts';
import type { SheetNames } from './reference.ts';
import { LexerState } from './lexer-state.ts';
import type { LexedFormula } from './token.ts';

/**
 * Splits the text of a formula in cell `row`, `col` into tokens. Throws FormulaSyntaxError if the text is malformed.
 */
export function lex(text: string, row: number, col: number, names: SheetNames): LexedFormula {
  const scan = new LexerState(text, row, col, names);
  while (scan.at < text.length) readToken(scan, text.charCodeAt(scan.at));
  return scan.finish();
}

/** Reads the token that starts at the current position with character code `code`. */
function readToken(scan: LexerState, code: number): void {
  if (isDigit(code)) {
    if (!readReference(scan, scan.at, scan.at, undefined, undefined)) readNumber(scan);
  } else if (code === 46 && isDigit(scan.text.charCodeAt(scan.at + 1))) readNumber(scan);
  else if (code === 0x27e6) readStoredTable(scan);
  else if (isWord(code) || code === 36) readWord(scan, code);
  else if (isSpace(code)) readSpace(scan);
  else if (code === 34) readText(scan);
  else if (code === 39) readQuotedSheet(scan);
  else if (code === 35) readError(scan);
  else if (code === 91) readBracket(scan);
  else readOperator(scan, code);
}

/**
 * Reads a table reference in the form used by saved documents (snapshots): `⟦`, ids of the table and its columns, `⟧`.
 */
function readStoredTable(scan: LexerState): void {
  const start = scan.at;
  const found = readStored(scan.text, start);
  if (!found) scan.fail(`'${scan.text[start]}' has no meaning here`, start);
  scan.at = found.end;
  scan.table(found.part, start);
}

function readSpace(scan: LexerState): void {
  const start = scan.at;
  while (isSpace(scan.text.charCodeAt(scan.at))) scan.at++;
  scan.space(scan.text.slice(start, scan.at));
}

function readText(scan: LexerState): void {
  const start = scan.at;
  const value = readQuoted(scan, '"', 'The text is not closed');
  scan.constant('text', value, value, start);
}

/** Reads a reference with a quoted sheet name: `'My sheet'!A1`, or `'First:Last'!A1` for a 3D reference. */
function readQuotedSheet(scan: LexerState): void {
  const start = scan.at;
  const name = readQuoted(scan, "'", 'The quoted sheet name is not closed');
  if (scan.text.charCodeAt(scan.at) !== 33) scan.fail("A quoted sheet name must be followed by '!'", scan.at);
  const colon = scan.names.sheetId(name) === undefined && !name.includes('[') ? name.indexOf(':') : -1;
  if (colon > 0) readAfterSheet(scan, scan.at + 1, start, name.slice(0, colon), name.slice(colon + 1));
  else readAfterSheet(scan, scan.at + 1, start, name);
}

/**
 * Reads a text that is enclosed in `mark` and returns its content. Two marks in a row stand for one. If the closing
 * mark is missing, fails with the message `unclosed`.
 */
function readQuoted(scan: LexerState, mark: '"' | "'", unclosed: string): string {
  const { text } = scan;
  const start = scan.at;
  let value = '';
  for (;;) {
    const end = text.indexOf(mark, scan.at + 1);
    if (end < 0) scan.fail(unclosed, start);
    value += text.slice(scan.at + 1, end);
    scan.at = end + 1;
    if (text[scan.at] !== mark) return value;
    value += mark;
  }
}

/** Reads an error such as `#N/A`; `#` alone is the spill operator. */
function readError(scan: LexerState): void {
  const start = scan.at;
  const upper = scan.text.slice(start, start + 16).toUpperCase();
  const error = errorTexts.find((known) => upper.startsWith(known));
  if (error === cellErrors.ref.text) {
    readLostReference(scan, start, start + error.length);
    return;
  }
  scan.token(error ? 'error' : 'op', error ?? '#', start);
  scan.at += error ? error.length : 1;
}

function readBracket(scan: LexerState): void {
  const { text, at: start } = scan;
  const end = bracketEnd(scan, start);
  const sheetEnd = wordEnd(text, end);
  // `[Book]Sheet!A1` refers to a sheet of another workbook, `[Book]!Rate` to one of its defined names. The text before
  // `!` identifies the sheet or the workbook.
  if (text.charCodeAt(sheetEnd) === 33) {
    readAfterSheet(scan, sheetEnd + 1, start, text.slice(start, sheetEnd));
    return;
  }
  scan.token('bracket', text.slice(start, end), start);
  scan.at = end;
}

function readNumber(scan: LexerState): void {
  const { text, at: start } = scan;
  const end = numberEnd(text, start);
  const stop = wordEnd(text, end);
  if (stop > end) {
    // A word that starts with digits is a sheet name if `!` follows.
    if (text.charCodeAt(stop) !== 33) scan.fail(`'${text.slice(start, stop)}' is not a number`, start);
    readAfterSheet(scan, stop + 1, start, text.slice(start, stop));
    return;
  }
  const written = text.slice(start, end);
  const number = Number(written);
  if (!Number.isFinite(number)) scan.fail(`${written} is too large`, start);
  scan.at = end;
  scan.constant('number', written, number, start);
}

function numberEnd(text: string, start: number): number {
  let at = digitsEnd(text, start);
  if (text.charCodeAt(at) === 46) at = digitsEnd(text, at + 1);
  if ((text.charCodeAt(at) | 32) !== 101) return at;
  const sign = text.charCodeAt(at + 1);
  const exponent = at + (sign === 43 || sign === 45 ? 2 : 1);
  return isDigit(text.charCodeAt(exponent)) ? digitsEnd(text, exponent) : at;
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function readOperator(scan: LexerState, code: number): void {
  const { text, at: start } = scan;
  const next = text.charCodeAt(start + 1);
  // Two-character operators: `<=`, `>=`, `<>`.
  const double = (next === 61 && (code === 60 || code === 62)) || (next === 62 && code === 60);
  const op = double ? text.slice(start, start + 2) : (text[start] as string);
  if (!double && !'+-*/^&=<>%@(){},;:!'.includes(op)) scan.fail(`'${op}' has no meaning here`, start);
  scan.at += op.length;
  scan.operator(op, start);
}
