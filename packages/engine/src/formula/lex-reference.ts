import { maxCols, maxRows } from '../base/grid-size.ts';
import { wordEnd } from './characters.ts';
import { emptyCorner, readCorner, type Corner } from './reference-corner.ts';
import { isExternalSheetKey, lostCells, type RefPart, type SheetKey } from './reference.ts';
import { bracketEnd } from './bracket-end.ts';
import type { LexerState } from './lexer-state.ts';

/**
 * The two corners of the reference that is being read. The objects are reused: every word of a formula is first tried
 * as a reference, and most words are not references, so creating new objects each time would be wasteful.
 */
const first = emptyCorner();
const second = emptyCorner();

/**
 * Reads the part of a reference after its sheet name, at `from`, and adds the reference as a token. `start` is where
 * the sheet name starts. Returns false if there is no reference.
 */
export function readReference(
  scan: LexerState,
  from: number,
  start: number,
  sheet: SheetKey | undefined,
  lastSheet: SheetKey | undefined,
): boolean {
  const { text } = scan;
  if (!readCorner(text, from, first)) return false;
  const after = text.charCodeAt(first.end);
  if (after === 40 || (after === 33 && sheet === undefined)) return false;
  const whole = first.row >= 0 && first.col >= 0;
  if (after === 58 && closes(text, first.end + 1, whole)) {
    const shape = whole ? 'area' : first.row < 0 ? 'cols' : 'rows';
    scan.reference(spanned(shape, scan, sheet, lastSheet), start);
    scan.at = second.end;
    return true;
  }
  if (!whole) return false;
  scan.reference(oneCell(scan, sheet, lastSheet), start);
  scan.at = first.end;
  return true;
}

/**
 * Returns whether the corner at `at`, such as B2 in A1:B2, completes the first corner to a range: an area, whole
 * columns or whole rows. `whole` means that the first corner has both a column and a row.
 */
function closes(text: string, at: number, whole: boolean): boolean {
  if (!readCorner(text, at, second)) return false;
  const after = text.charCodeAt(second.end);
  if (after === 40 || after === 33) return false;
  if (whole) return second.row >= 0 && second.col >= 0;
  return first.row < 0 === second.row < 0 && first.col < 0 === second.col < 0;
}

function oneCell({ row, col }: LexerState, sheet: SheetKey | undefined, lastSheet: SheetKey | undefined): RefPart {
  const { rowAbs, colAbs } = first;
  const top = rowAbs ? first.row : first.row - row;
  const left = colAbs ? first.col : first.col - col;
  return {
    shape: 'cell',
    sheet,
    lastSheet,
    top,
    bottom: top,
    left,
    right: left,
    topAbs: rowAbs,
    bottomAbs: rowAbs,
    leftAbs: colAbs,
    rightAbs: colAbs,
  };
}

/**
 * Returns the reference to the range between the two corners that were read last, `first` and `second`, in whichever
 * order they are.
 */
function spanned(
  shape: RefPart['shape'],
  { row, col }: LexerState,
  sheet: SheetKey | undefined,
  lastSheet: SheetKey | undefined,
): RefPart {
  const downward = first.row <= second.row;
  const rightward = first.col <= second.col;
  const up: Corner = downward ? first : second;
  const down: Corner = downward ? second : first;
  const near: Corner = rightward ? first : second;
  const far: Corner = rightward ? second : first;
  const wholeRows = shape === 'cols';
  const wholeCols = shape === 'rows';
  return {
    shape,
    sheet,
    lastSheet,
    top: wholeRows ? 0 : up.rowAbs ? up.row : up.row - row,
    bottom: wholeRows ? maxRows - 1 : down.rowAbs ? down.row : down.row - row,
    left: wholeCols ? 0 : near.colAbs ? near.col : near.col - col,
    right: wholeCols ? maxCols - 1 : far.colAbs ? far.col : far.col - col,
    topAbs: wholeRows || up.rowAbs,
    bottomAbs: wholeRows || down.rowAbs,
    leftAbs: wholeCols || near.colAbs,
    rightAbs: wholeCols || far.colAbs,
  };
}

/** Reads the reference, #REF! or name that follows `Sheet!`. `start` is where the sheet name starts. */
export function readAfterSheet(scan: LexerState, from: number, start: number, name: string, lastName?: string): void {
  const { text } = scan;
  const sheet = scan.sheetKey(name);
  const lastSheet = lastName === undefined ? undefined : scan.sheetKey(lastName);
  if (readReference(scan, from, start, sheet, lastSheet)) return;
  if (text.startsWith('#REF!', from)) {
    scan.reference(lostPart(sheet), start);
    scan.at = from + 5;
    return;
  }
  const stop = isExternalSheetKey(sheet) ? externalItemEnd(scan, from) : wordEnd(text, from);
  if (stop === from) scan.fail('A reference is expected after the sheet name', from);
  scan.token('name', text.slice(from, stop), start, text.slice(start, stop), sheet);
  scan.at = stop;
}

/**
 * Returns the index after an item of another workbook that starts at `from`: a defined name, a table with a column
 * (`Table1[c]`), or an item of another program in quotation marks (`'ES #F'`).
 */
function externalItemEnd(scan: LexerState, from: number): number {
  const { text } = scan;
  if (text[from] === "'") {
    const quoted = /^'(?:[^']|'')+'/.exec(text.slice(from));
    return quoted ? from + quoted[0].length : scan.fail('The quoted name is not closed', from);
  }
  const end = wordEnd(text, from);
  return end > from && text[end] === '[' ? bracketEnd(scan, end) : end;
}

/** Reads `#REF!`, and the cell address that some programs write after it. */
export function readLostReference(scan: LexerState, start: number, end: number): void {
  scan.at = readCorner(scan.text, end, first) ? first.end : end;
  scan.reference(lostPart(undefined), start);
}

function lostPart(sheet: SheetKey | undefined): RefPart {
  return { sheet, ...lostCells };
}
