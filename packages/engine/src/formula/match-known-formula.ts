import { maxRows } from '../base/grid-size.ts';
import { isDigit, isLetter } from './characters.ts';
import { isTable } from './table-reference.ts';
import type { PatternPart } from './token.ts';

/** Constants of a formula: their values, and their text as written. */
export interface FormulaConstants {
  readonly constants: readonly (number | string)[];
  readonly texts: readonly string[];
}

/**
 * Matches the formula `text` of cell `row`, `col` against `parts`, the pieces of a formula that is already parsed. This
 * is faster than parsing. If `text` differs at most in its constants, returns its constants (`known` itself if they are
 * equal). Otherwise returns undefined, and the caller must parse the text.
 */
export function matchKnownFormula(
  parts: readonly PatternPart[],
  known: FormulaConstants,
  text: string,
  row: number,
  col: number,
): FormulaConstants | undefined {
  let at = codeAt(text, 0) === 61 ? 1 : 0;
  let hole = 0;
  let constants: (number | string)[] | undefined;
  let texts: string[] | undefined;
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p] as PatternPart;
    if (typeof part === 'string') {
      if (!text.startsWith(part, at)) return undefined;
      at += part.length;
      continue;
    }
    if ('hole' in part) {
      const end = part.hole === 'number' ? numberEnd(text, at) : textEnd(text, at);
      if (end < 0) return undefined;
      const before = known.texts[hole] as string;
      if (before.length !== end - at || !text.startsWith(before, at)) {
        const written = text.slice(at, end);
        const value = part.hole === 'number' ? Number(written) : written.slice(1, -1);
        if (typeof value === 'number' && value - value !== 0) return undefined;
        constants ??= known.constants.slice();
        texts ??= known.texts.slice();
        constants[hole] = value;
        texts[hole] = written;
      }
      hole++;
      at = end;
      continue;
    }
    if (isTable(part)) return undefined;
    if (part.sheet !== undefined || (part.shape !== 'cell' && part.shape !== 'area')) return undefined;
    at = cornerAt(text, at, part.top, part.topAbs, row, part.left, part.leftAbs, col);
    if (at < 0) return undefined;
    if (part.shape === 'area') {
      if (codeAt(text, at) !== 58) return undefined;
      at = cornerAt(text, at + 1, part.bottom, part.bottomAbs, row, part.right, part.rightAbs, col);
      if (at < 0) return undefined;
      const top = part.topAbs ? part.top : part.top + row;
      const bottom = part.bottomAbs ? part.bottom : part.bottom + row;
      const left = part.leftAbs ? part.left : part.left + col;
      const right = part.rightAbs ? part.right : part.right + col;
      if (top > bottom || left > right) return undefined;
    }
    if (isWordCode(codeAt(text, at))) return undefined;
  }
  if (at !== text.length) return undefined;
  return constants && texts ? { constants, texts } : known;
}

/**
 * Returns a character code, or 0 past the end of the text. Calling `charCodeAt` past the end would make V8 deoptimize
 * the code.
 */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

/**
 * Returns the end of a number with an optional fraction; -1 if there is no number, or if the next character might
 * continue it.
 */
function numberEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(codeAt(text, at))) at++;
  if (at === from) return -1;
  if (codeAt(text, at) === 46) {
    at++;
    const digits = at;
    while (isDigit(codeAt(text, at))) at++;
    if (at === digits) return -1;
  }
  const next = codeAt(text, at);
  return isWordCode(next) || next === 46 || next === 58 || next === 33 || next === 95 || next >= 128 ? -1 : at;
}

/**
 * Returns the end of a quoted text; -1 if there is no quoted text, or if it contains an escaped (doubled) quotation
 * mark.
 */
function textEnd(text: string, from: number): number {
  if (codeAt(text, from) !== 34) return -1;
  const end = text.indexOf('"', from + 1);
  return end < 0 || codeAt(text, end + 1) === 34 ? -1 : end + 1;
}

function isWordCode(code: number): boolean {
  return isDigit(code) || isLetter(code);
}

function cornerAt(
  text: string,
  from: number,
  top: number,
  topAbs: boolean,
  row: number,
  left: number,
  leftAbs: boolean,
  col: number,
): number {
  let at = from;
  if (leftAbs) {
    if (codeAt(text, at) !== 36) return -1;
    at++;
  }
  let n = 0;
  let code = codeAt(text, at);
  while (code >= 65 && code <= 90) {
    n = n * 26 + code - 64;
    code = codeAt(text, ++at);
  }
  if (n - 1 !== (leftAbs ? left : left + col)) return -1;
  if (topAbs) {
    if (code !== 36) return -1;
    code = codeAt(text, ++at);
  }
  if (code === 48) return -1;
  n = 0;
  while (code >= 48 && code <= 57) {
    n = n * 10 + code - 48;
    code = codeAt(text, ++at);
  }
  return n <= maxRows && n - 1 === (topAbs ? top : top + row) ? at : -1;
}
