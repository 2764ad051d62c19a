import { maxCols, maxRows } from '../base/grid-size.ts';
import { CellError, cellErrors, RangeRef, isReference, type Reference } from '../base/values.ts';
import type { Node } from './ast.ts';
import type { Evaluation } from './evaluation-context.ts';
import { FormulaSyntaxError } from './token.ts';

const referenceTypes: ReadonlySet<Node['type']> = new Set(['ref', 'name', 'span', 'union', 'spilled', 'table']);

/** Resolves the text argument of INDIRECT to a reference; #NAME? if it is an unknown name, #REF! if it is invalid. */
export function indirectReference(ev: Evaluation, text: string, a1: boolean): Reference | CellError {
  const source = text.trim();
  if (source === '') return cellErrors.ref;
  // Charge the cost of parsing to the calculation budget: about four steps per character.
  ev.budget.spend(8 + source.length * 4);
  if (!a1) return rowColumnReference(ev, source);
  try {
    const template = ev.host.templateOf(`=${source}`, ev.row, ev.col);
    const { type } = template.pattern.ast;
    if (!referenceTypes.has(type)) return cellErrors.ref;
    const value = template.evaluate(ev);
    if (isReference(value)) return value;
    return value instanceof CellError && value === cellErrors.name ? value : cellErrors.ref;
  } catch (error) {
    if (error instanceof FormulaSyntaxError) return cellErrors.ref;
    throw error;
  }
}

const cornerPattern = String.raw`(?:R(\d*|\[[-+]?\d+\]))?(?:C(\d*|\[[-+]?\d+\]))?`;
const r1c1Pattern = new RegExp(`^(?:(?:'((?:[^']|'')+)'|([^'!]+))!)?${cornerPattern}(?::${cornerPattern})?$`, 'i');

function edge(text: string | undefined, own: number): number | undefined {
  if (text === undefined) return undefined;
  if (text === '') return own;
  return text.startsWith('[') ? own + Number(text.slice(1, -1)) : Number(text) - 1;
}

function rowColumnReference(ev: Evaluation, text: string): Reference | CellError {
  const match = r1c1Pattern.exec(text);
  if (!match) return cellErrors.ref;
  const sheetName = match[1]?.replaceAll("''", "'") ?? match[2];
  const sheet = sheetName === undefined ? ev.sheet : ev.host.sheetByName(sheetName);
  if (!sheet) return cellErrors.ref;
  const row = edge(match[3], ev.row);
  const col = edge(match[4], ev.col);
  if (row === undefined && col === undefined) return cellErrors.ref;
  const second = text.includes(':');
  const otherRow = second ? edge(match[5], ev.row) : row;
  const otherCol = second ? edge(match[6], ev.col) : col;
  const top = Math.min(row ?? 0, otherRow ?? 0);
  const bottom = row === undefined || otherRow === undefined ? maxRows - 1 : Math.max(row, otherRow);
  const left = Math.min(col ?? 0, otherCol ?? 0);
  const right = col === undefined || otherCol === undefined ? maxCols - 1 : Math.max(col, otherCol);
  if (top < 0 || left < 0 || bottom >= maxRows || right >= maxCols) return cellErrors.ref;
  return new RangeRef(sheet, top, left, bottom, right);
}
