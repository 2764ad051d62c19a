import { CellError, ERRORS, MAX_COLS, MAX_ROWS, RangeRef, isReference } from '../base/values.ts';
import type { Reference } from '../base/values.ts';
import type { Evaluation } from './evaluation.ts';
import { FormulaSyntaxError } from './lexer.ts';

/** The reference that `text` names, for INDIRECT. */
export function indirectReference(ev: Evaluation, text: string, a1: boolean): Reference | CellError {
  const source = text.trim();
  if (source === '') return ERRORS.ref;
  // Reading it as a formula costs about as much as looking at each character some times.
  ev.budget.spend(8 + source.length * 4);
  if (!a1) return rowColumnReference(ev, source);
  try {
    const template = ev.host.templateOf(`=${source}`, ev.row, ev.col);
    const { type } = template.pattern.ast;
    if (type !== 'ref' && type !== 'name' && type !== 'span' && type !== 'union' && type !== 'spilled') return ERRORS.ref;
    const value = template.evaluate(ev);
    if (isReference(value)) return value;
    return value instanceof CellError && value === ERRORS.name ? value : ERRORS.ref;
  } catch (failure) {
    if (failure instanceof FormulaSyntaxError) return ERRORS.ref;
    throw failure;
  }
}

const CORNER = String.raw`(?:R(\d*|\[[-+]?\d+\]))?(?:C(\d*|\[[-+]?\d+\]))?`;
const R1C1 = new RegExp(`^(?:(?:'((?:[^']|'')+)'|([^'!]+))!)?${CORNER}(?::${CORNER})?$`, 'i');

function edge(text: string | undefined, own: number): number | undefined {
  if (text === undefined) return undefined;
  if (text === '') return own;
  return text.startsWith('[') ? own + Number(text.slice(1, -1)) : Number(text) - 1;
}

function rowColumnReference(ev: Evaluation, text: string): Reference | CellError {
  const match = R1C1.exec(text);
  if (!match) return ERRORS.ref;
  const sheetName = match[1]?.replaceAll("''", "'") ?? match[2];
  const sheet = sheetName === undefined ? ev.sheet : ev.host.sheetByName(sheetName);
  if (!sheet) return ERRORS.ref;
  const row = edge(match[3], ev.row);
  const col = edge(match[4], ev.col);
  if (row === undefined && col === undefined) return ERRORS.ref;
  const second = text.includes(':');
  const otherRow = second ? edge(match[5], ev.row) : row;
  const otherCol = second ? edge(match[6], ev.col) : col;
  const top = Math.min(row ?? 0, otherRow ?? 0);
  const bottom = row === undefined || otherRow === undefined ? MAX_ROWS - 1 : Math.max(row, otherRow);
  const left = Math.min(col ?? 0, otherCol ?? 0);
  const right = col === undefined || otherCol === undefined ? MAX_COLS - 1 : Math.max(col, otherCol);
  if (top < 0 || left < 0 || bottom >= MAX_ROWS || right >= MAX_COLS) return ERRORS.ref;
  return new RangeRef(sheet, top, left, bottom, right);
}
