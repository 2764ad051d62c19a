import type { CellAddress } from '../base/address.ts';
import { cellErrors, maxCols, maxRows, errorTexts } from '../base/values.ts';
import type { RefPart, SheetKey, SheetNames } from './reference.ts';

/** Formula text that cannot be read. `position` counts characters from 0, the `=` included. */
export class FormulaSyntaxError extends Error {
  readonly position: number;
  readonly formula: string;
  /** The cell it was meant for, where it was meant for one. */
  cell?: CellAddress;
  constructor(message: string, formula: string, position: number) {
    super(`${message} at character ${position + 1}`);
    this.name = 'FormulaSyntaxError';
    this.position = position;
    this.formula = formula;
  }
}

export type TokenType =
  | 'number'
  | 'text'
  | 'logical'
  | 'error'
  | 'ref'
  | 'name'
  | 'function'
  | 'bracket'
  | 'op'
  | 'end';

export interface Token {
  readonly type: TokenType;
  /** Operator, canonical name, or the content of a string. */
  readonly text: string;
  readonly start: number;
  /** White space stood before it. */
  readonly spaced: boolean;
  readonly ref?: RefPart;
  readonly sheet?: SheetKey;
  /** Which of the formula's constants it is. */
  readonly slot?: number;
}

/** The place of a number or text written in a formula. */
export interface Hole {
  readonly hole: 'number' | 'text';
}

const holes = { number: { hole: 'number' }, text: { hole: 'text' } } as const;

/** The formula's text with its references and constants taken out: what formulas share and print from. */
export type Part = string | RefPart | Hole;

export function isRef(part: Part): part is RefPart {
  return typeof part !== 'string' && 'shape' in part;
}

export interface Lexed {
  readonly tokens: readonly Token[];
  readonly parts: readonly Part[];
  /** What belongs into the holes, and how it was written. */
  readonly constants: readonly (number | string)[];
  readonly texts: readonly string[];
}

/** Written by other programs before newer functions and local names; a prefix alone is a name like any other. */
const storedPrefixes = /^(?:_xlfn\.|_xlws\.|_xludf\.|_xll\.)+(?=.)/i;
const localPrefix = /^_xl(?:pm|op)\.(?=.)/i;

function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 46 ||
    code === 92 ||
    code === 63 ||
    (code >= 128 && code !== 0xa0)
  );
}

function unprefixed(name: string, called: boolean): string {
  const plain = name.replace(storedPrefixes, '').replace(localPrefix, '');
  // What would be read as something else keeps its prefix.
  const other =
    /^[\d.]/.test(plain) || (!called && (/^(?:true|false)$/i.test(plain) || (corner(plain, 0)?.row ?? -1) >= 0));
  return other ? name : plain;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13 || code === 0xa0;

interface Corner {
  /** -1 where the corner names no row or no column. */
  row: number;
  col: number;
  rowAbs: boolean;
  colAbs: boolean;
  end: number;
}

/** Reads `$A$1`, `$A` or `$1` at `at`; undefined when none stands there. */
function corner(text: string, at: number): Corner | undefined {
  let i = at;
  const found: Corner = { row: -1, col: -1, rowAbs: false, colAbs: false, end: at };
  let dollar = text.charCodeAt(i) === 36;
  if (dollar) i++;
  let n = 0;
  const letters = i;
  while (isLetter(text.charCodeAt(i)) && i - letters < 4) n = n * 26 + (text.charCodeAt(i++) | 32) - 96;
  if (i > letters) {
    if (i - letters > 3 || n > maxCols) return undefined;
    found.col = n - 1;
    found.colAbs = dollar;
    dollar = text.charCodeAt(i) === 36;
    if (dollar) i++;
  }
  const digits = i;
  n = 0;
  while (isDigit(text.charCodeAt(i)) && i - digits < 8) n = n * 10 + text.charCodeAt(i++) - 48;
  if (i > digits) {
    if (n < 1 || n > maxRows || i - digits > 7) return undefined;
    found.row = n - 1;
    found.rowAbs = dollar;
  } else if (dollar) return undefined;
  if (found.row < 0 && found.col < 0) return undefined;
  const next = text.charCodeAt(i);
  if (isWord(next) || next === 36) return undefined;
  found.end = i;
  return found;
}

export function lex(text: string, row: number, col: number, names: SheetNames): Lexed {
  const tokens: Token[] = [];
  const parts: Part[] = [];
  const constants: (number | string)[] = [];
  const texts: string[] = [];
  let braces = 0;
  let literal = '';
  let at = text.charCodeAt(0) === 61 ? 1 : 0;
  let spaced = false;
  const fail = (message: string, position: number): never => {
    throw new FormulaSyntaxError(message, text, position);
  };
  const push = (
    type: TokenType,
    value: string,
    start: number,
    ref?: RefPart,
    sheet?: SheetKey,
    slot?: number,
  ): void => {
    tokens.push({ type, text: value, start, spaced, ref, sheet, slot });
    spaced = false;
  };
  const pushRef = (ref: RefPart, start: number): void => {
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(ref);
    push('ref', '', start, ref);
  };

  const pushConstant = (type: 'number' | 'text', value: string, constant: number | string, start: number): void => {
    // Arrays are constants as a whole: what is in braces stays part of the text.
    if (braces > 0) {
      literal += text.slice(start, at);
      push(type, value, start);
      return;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(holes[type]);
    push(type, value, start, undefined, undefined, constants.length);
    constants.push(constant);
    texts.push(text.slice(start, at));
  };

  /** A reference without its sheet at `from`; returns its end or -1. */
  const reference = (from: number, start: number, sheet?: SheetKey, lastSheet?: SheetKey): number => {
    const a = corner(text, from);
    if (!a) return -1;
    const after = text.charCodeAt(a.end);
    if (after === 40 || (after === 33 && sheet === undefined)) return -1;
    const b = after === 58 ? corner(text, a.end + 1) : undefined;
    const closes = b !== undefined && text.charCodeAt(b.end) !== 40 && text.charCodeAt(b.end) !== 33;
    let shape: RefPart['shape'] = 'cell';
    let other = a;
    if (a.row >= 0 && a.col >= 0) {
      if (closes && b.row >= 0 && b.col >= 0) {
        shape = 'area';
        other = b;
      }
    } else if (closes && a.row < 0 === b.row < 0 && a.col < 0 === b.col < 0) {
      shape = a.row < 0 ? 'cols' : 'rows';
      other = b;
    } else return -1;
    const [up, down] = a.row <= other.row ? [a, other] : [other, a];
    const [near, far] = a.col <= other.col ? [a, other] : [other, a];
    const wholeRows = shape === 'cols';
    const wholeCols = shape === 'rows';
    pushRef(
      {
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
      },
      start,
    );
    return other.end;
  };

  const lost = (sheet: SheetKey | undefined): RefPart => ({
    shape: 'lost',
    sheet,
    lastSheet: undefined,
    top: 0,
    left: 0,
    bottom: 0,
    right: 0,
    topAbs: true,
    leftAbs: true,
    bottomAbs: true,
    rightAbs: true,
  });

  const keyOf = (name: string): SheetKey => names.sheetId(name) ?? name;

  const word = (from: number): number => {
    let i = from;
    while (isWord(text.charCodeAt(i))) i++;
    return i;
  };

  /** What stands after `Sheet!`; `start` is where the sheet's name begins. */
  const afterSheet = (from: number, start: number, first: string, last: string | undefined): number => {
    const sheet = keyOf(first);
    const lastSheet = last === undefined ? undefined : keyOf(last);
    const end = reference(from, start, sheet, lastSheet);
    if (end >= 0) return end;
    if (text.startsWith('#REF!', from)) {
      pushRef(lost(sheet), start);
      return from + 5;
    }
    const stop = word(from);
    if (stop === from) fail('A reference is expected after the sheet name', from);
    const name = text.slice(from, stop);
    literal += text.slice(start, stop);
    push('name', name, start, undefined, sheet);
    return stop;
  };

  const bracketEnd = (from: number): number => {
    let depth = 0;
    for (let i = from; i < text.length; i++) {
      const c = text[i];
      if (c === "'") i++;
      else if (c === '[') depth++;
      else if (c === ']' && --depth === 0) return i + 1;
    }
    return fail('A bracket is not closed', from);
  };

  while (at < text.length) {
    const start = at;
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      while (at < text.length && isSpace(text.charCodeAt(at))) at++;
      literal += text.slice(start, at);
      spaced = true;
      continue;
    }
    if (code === 34) {
      let value = '';
      for (;;) {
        const quote = text.indexOf('"', at + 1);
        if (quote < 0) fail('The text is not closed', start);
        value += text.slice(at + 1, quote);
        at = quote + 1;
        if (text.charCodeAt(at) !== 34) break;
        value += '"';
      }
      pushConstant('text', value, value, start);
      continue;
    }
    if (code === 39) {
      let name = '';
      for (;;) {
        const quote = text.indexOf("'", at + 1);
        if (quote < 0) fail('The quoted sheet name is not closed', start);
        name += text.slice(at + 1, quote);
        at = quote + 1;
        if (text.charCodeAt(at) !== 39) break;
        name += "'";
      }
      if (text.charCodeAt(at) !== 33) fail("A quoted sheet name must be followed by '!'", at);
      const colon = names.sheetId(name) === undefined && !name.includes('[') ? name.indexOf(':') : -1;
      const last = colon > 0 ? name.slice(colon + 1) : undefined;
      at = afterSheet(at + 1, start, colon > 0 ? name.slice(0, colon) : name, last);
      continue;
    }
    if (code === 35) {
      const upper = text.slice(at, at + 16).toUpperCase();
      const error = errorTexts.find((known) => upper.startsWith(known));
      if (error === cellErrors.ref.text) {
        at += error.length;
        const tail = corner(text, at);
        if (tail) at = tail.end;
        pushRef(lost(undefined), start);
      } else if (error) {
        at += error.length;
        literal += error;
        push('error', error, start);
      } else {
        at++;
        literal += '#';
        push('op', '#', start);
      }
      continue;
    }
    if (code === 91) {
      // `[Book]Sheet!A1` points outside the workbook: kept by name, never found.
      const end = bracketEnd(at);
      const sheetEnd = word(end);
      if (sheetEnd > end && text.charCodeAt(sheetEnd) === 33) {
        at = afterSheet(sheetEnd + 1, start, text.slice(at, sheetEnd), undefined);
        continue;
      }
      literal += text.slice(at, end);
      push('bracket', text.slice(at, end), start);
      at = end;
      continue;
    }
    if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(at + 1)))) {
      const end = isDigit(code) ? reference(at, start) : -1;
      if (end >= 0) {
        at = end;
        continue;
      }
      while (isDigit(text.charCodeAt(at))) at++;
      if (text.charCodeAt(at) === 46) at++;
      while (isDigit(text.charCodeAt(at))) at++;
      if ((text.charCodeAt(at) | 32) === 101) {
        const sign = text.charCodeAt(at + 1);
        const digits = at + (sign === 43 || sign === 45 ? 2 : 1);
        if (isDigit(text.charCodeAt(digits))) {
          at = digits;
          while (isDigit(text.charCodeAt(at))) at++;
        }
      }
      const stop = word(at);
      if (stop > at && text.charCodeAt(stop) === 33) {
        at = afterSheet(stop + 1, start, text.slice(start, stop), undefined);
        continue;
      }
      if (stop > at) fail(`'${text.slice(start, stop)}' is not a number`, start);
      const number = Number(text.slice(start, at));
      if (!Number.isFinite(number)) fail(`${text.slice(start, at)} is too large`, start);
      pushConstant('number', text.slice(start, at), number, start);
      continue;
    }
    if (isWord(code) || code === 36) {
      const end = reference(at, start);
      if (end >= 0) {
        at = end;
        continue;
      }
      if (code === 36) fail("'$' must stand before a column or a row", at);
      at = word(at);
      const name = text.slice(start, at);
      const next = text.charCodeAt(at);
      if (next === 33) {
        at = afterSheet(at + 1, start, name, undefined);
        continue;
      }
      if (next === 58) {
        const second = word(at + 1);
        if (second > at + 1 && text.charCodeAt(second) === 33) {
          at = afterSheet(second + 1, start, name, text.slice(at + 1, second));
          continue;
        }
      }
      const upper = name.toUpperCase();
      if (next === 40) {
        const plain = unprefixed(upper, true);
        literal += plain;
        push('function', plain, start);
      } else if (upper === 'TRUE' || upper === 'FALSE') {
        literal += upper;
        push('logical', upper, start);
      } else {
        const optional = /^_xlop\../i.test(name);
        // Beside a colon the bare name might be read as a column.
        const spans = next === 58 || text.charCodeAt(start - 1) === 58;
        const plain = spans ? name : unprefixed(name, false);
        literal += optional ? `[${plain}]` : plain;
        if (optional) push('bracket', `[${plain}]`, start);
        else push('name', plain, start);
        if (next === 91) {
          const stop = bracketEnd(at);
          literal += text.slice(at, stop);
          push('bracket', text.slice(at, stop), at);
          at = stop;
        }
      }
      continue;
    }
    const pair = text.slice(at, at + 2);
    const op = pair === '<=' || pair === '>=' || pair === '<>' ? pair : (text[at] ?? '');
    if (!'+-*/^&=<>%@(){},;:!'.includes(op) && op.length === 1) fail(`'${op}' has no meaning here`, at);
    at += op.length;
    if (op === '{') braces++;
    else if (op === '}') braces--;
    literal += op;
    push('op', op, start);
  }
  if (literal !== '') parts.push(literal);
  push('end', '', text.length);
  return { tokens, parts, constants, texts };
}
