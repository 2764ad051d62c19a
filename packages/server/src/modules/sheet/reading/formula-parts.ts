/**
 * A part of a formula's text: a function call, operands with operators between them, or a term, which is not split
 * further (such as a number or a cell reference).
 */
export interface FormulaPart {
  readonly kind: 'call' | 'operands' | 'term';
  readonly text: string;
  /** Name of the function in upper case; empty for other kinds of parts. */
  readonly name: string;
  /** Arguments of a call, or the operands between operators; empty for a term. */
  readonly parts: readonly FormulaPart[];
  /** Operators between the operands; empty for calls and terms. */
  readonly operators: readonly string[];
}

const maxDepth = 30;
const call = /^(?:_xlfn\.|_xlws\.)*([A-Za-z_][\w.]*)\s*\(/;
const operators = new Set('+-*/^&=<>');

/**
 * Splits the text of a formula (without `=`) into calls, operands and terms. A malformed or too deeply nested text
 * becomes a single term.
 */
export function parseFormulaParts(given: string, depth = 0): FormulaPart {
  const text = given.trim();
  const term: FormulaPart = { kind: 'term', text, name: '', parts: [], operators: [] };
  if (text === '' || depth > maxDepth) return term;
  const split = splitAt(text, (at) => operatorAt(text, at));
  if (split && split.pieces.length > 1) {
    const parts = split.pieces.map((one) => parseFormulaParts(one, depth + 1));
    return { ...term, kind: 'operands', parts, operators: split.marks };
  }
  if (text.startsWith('(') && closing(text, 0) === text.length - 1)
    return parseFormulaParts(text.slice(1, -1), depth + 1);
  const found = call.exec(text);
  if (!found || closing(text, found[0].length - 1) !== text.length - 1) return term;
  const inside = text.slice(found[0].length, -1);
  const list = inside.trim() === '' ? undefined : splitAt(inside, (at) => (inside[at] === ',' ? ',' : undefined));
  const parts = (list?.pieces ?? []).map((one) => parseFormulaParts(one, depth + 1));
  return { ...term, kind: 'call', name: found[1]!.toUpperCase(), parts };
}

/**
 * Returns the operator that begins at position `at`; undefined if there is none. The sign of a number and the sign of
 * its exponent are not operators.
 */
function operatorAt(text: string, at: number): string | undefined {
  const letter = text[at]!;
  if (!operators.has(letter)) return undefined;
  const before = text.slice(0, at).trimEnd();
  if (before === '' || /[-+*/^&=<>(,]$/.test(before)) return undefined;
  if ((letter === '+' || letter === '-') && /(?:^|[^A-Za-z\d.])(?:\d+\.?\d*|\.\d+)[eE]$/.test(before)) return undefined;
  return /^(?:<>|<=|>=)/.test(text.slice(at)) ? text.slice(at, at + 2) : letter;
}

/**
 * Splits a text at the marks (operators or commas) that `markAt` finds outside of quotes, parentheses, braces and
 * brackets. Returns undefined if a quote or bracket is not closed.
 */
function splitAt(
  text: string,
  markAt: (at: number) => string | undefined,
): { pieces: string[]; marks: string[] } | undefined {
  const pieces: string[] = [];
  const marks: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const end = closing(text, at);
    if (end === undefined) return undefined;
    if (end > at) {
      at = end;
      continue;
    }
    const mark = markAt(at);
    if (mark === undefined) continue;
    pieces.push(text.slice(start, at));
    marks.push(mark);
    at += mark.length - 1;
    start = at + 1;
  }
  return { pieces: [...pieces, text.slice(start)], marks };
}

const closers: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };

/**
 * Returns the position at which the quoted text or bracket that opens at `at` is closed; undefined if it is not closed.
 * Returns `at` if no quoted text or bracket opens there.
 */
function closing(text: string, at: number): number | undefined {
  const first = text[at]!;
  if (first === '"' || first === "'") {
    const end = text.indexOf(first, at + 1);
    return end < 0 ? undefined : end;
  }
  if (closers[first] === undefined) return at;
  const open: string[] = [];
  for (let index = at; index < text.length; index++) {
    const letter = text[index]!;
    if (letter === '"' || letter === "'") {
      index = text.indexOf(letter, index + 1);
      if (index < 0) return undefined;
    } else if (closers[letter] !== undefined) open.push(closers[letter]);
    else if (letter === open.at(-1)) {
      open.pop();
      if (open.length === 0) return index;
    }
  }
  return undefined;
}
