import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { BadPattern, matcherOf, shownText, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import {
  evaluateFormula,
  CellError,
  cellName,
  charge,
  foldText,
  FormulaSyntaxError,
  type RecalcOptions,
  type Scalar,
} from '@sheaf/engine';
import { explainError } from '../reading/explain-error.ts';
import { shorten } from '../reading/shorten.ts';
import { formatAddress, resolveAddress, formatSheetPrefix, clipToUsedRange, type SheetRange } from './address.ts';

export const maxAssertions = 100;
export const maxAssertionLength = 2000;
const maxListedCells = 5;
/**
 * Relative difference up to which an assertion treats two numbers as equal, because sums computed in another order
 * differ in the last digits.
 */
const tolerance = 1e-9;

export interface AssertionResult {
  readonly assertion: string;
  readonly ok: boolean;
  /**
   * Reason why the assertion does not hold: both sides of a comparison, or the first cells that violate it. Not set if
   * it holds.
   */
  readonly why?: string;
}

interface AssertionContext {
  readonly document: SheetDocument;
  /** Sub-sheet that an address without a sub-sheet refers to. */
  readonly sheet: string | undefined;
  readonly calculation: RecalcOptions;
}

/**
 * Evaluates assertions, by which callers check a document: formulas that must be TRUE, or fixed phrases such as `no
 * errors in A1:B9`.
 */
export function evaluateAssertions(
  asking: AssertionContext,
  assertions: readonly string[],
  field = 'assertions',
): AssertionResult[] {
  return assertions.map((assertion, index) => {
    const why = evaluateAssertion(asking, assertion.trim(), `${field}[${index}]`);
    return why === undefined ? { assertion, ok: true } : { assertion, ok: false, why };
  });
}

/** Throws for the first assertion that does not hold after a write. The caller then rolls the write back. */
export function requireAssertions(asking: AssertionContext, assertions: readonly string[]): void {
  const failed = evaluateAssertions(asking, assertions, 'assert').find(({ ok }) => !ok);
  if (failed)
    throw fail(
      'conflict',
      `assert: ${shorten(failed.assertion, 200)} does not hold: ${failed.why}; nothing was changed`,
    );
}

/** Returns the reason why an assertion does not hold, or undefined if it holds. */
function evaluateAssertion(asking: AssertionContext, assertion: string, field: string): string | undefined {
  const place = (text: string): SheetRange => resolveAddress(asking.document, text, { field, sheet: asking.sheet });
  const { document } = asking;
  let found = /^no errors(?: in (.+))?$/is.exec(assertion);
  if (found) {
    const worksheets = document.subSheets.filter((one) => one.type === 'worksheet');
    const places = found[1] === undefined ? usedRanges(document, worksheets) : [place(found[1])];
    return describeFirstCells(document, places, (sub, row, col) =>
      document.value(sub, row, col) instanceof CellError ? explainError(document, sub, row, col) : undefined,
    );
  }
  found = /^no blanks in (.+)$/is.exec(assertion);
  if (found) return findBlanks(document, place(found[1]!));
  found = /^(?:unique (.+)|(.+?) (?:is|are) unique)$/is.exec(assertion);
  if (found) return findDuplicates(document, place(found[1] ?? found[2]!));
  found = /^(.+?) matches (.+)$/is.exec(assertion);
  if (found && !assertion.startsWith('=')) return findMismatches(document, place(found[1]!), found[2]!, field);
  found = /^(.+?) balances (.+)$/is.exec(assertion);
  if (found) return compareSums(document, place(found[1]!), place(found[2]!));
  return evaluateFormulaAssertion(asking, assertion, field);
}

export function usedRanges(document: SheetDocument, subs: readonly SubSheet[]): SheetRange[] {
  return subs.flatMap((sub) => {
    const rect = document.usedRange(sub);
    return rect ? [{ sub, rect }] : [];
  });
}

/**
 * Describes the first cells for which `tell` returns a text, and adds the total number of such cells. Returns undefined
 * if there are no such cells.
 */
export function describeFirstCells(
  document: SheetDocument,
  places: readonly SheetRange[],
  tell: (sub: SubSheet, row: number, col: number) => string | undefined,
): string | undefined {
  const named: string[] = [];
  let count = 0;
  for (const place of places) {
    const { sub } = place;
    const rect = clipToUsedRange(document, place);
    if (!rect) continue;
    sub.sheet.eachFilled(rect.top, rect.left, rect.bottom, rect.right, (_, r, c) => {
      const told = tell(sub, rect.top + r, rect.left + c);
      if (told === undefined) return;
      if (++count <= maxListedCells)
        named.push(
          `${places.length > 1 ? formatSheetPrefix(sub) : ''}${cellName(rect.top + r, rect.left + c)} ${told}`,
        );
    });
  }
  return listWithRest(named, count);
}

function listWithRest(named: readonly string[], count: number): string | undefined {
  if (count === 0) return undefined;
  return `${named.join(', ')}${count > maxListedCells ? ` and ${count - maxListedCells} more` : ''}`;
}

function findBlanks(document: SheetDocument, { sub, rect }: SheetRange): string | undefined {
  const within = { ...rect, bottom: Math.min(rect.bottom, Math.max(rect.top, sub.sheet.lastRow)) };
  const named: string[] = [];
  let count = 0;
  charge((within.bottom - within.top + 1) * (within.right - within.left + 1));
  for (let row = within.top; row <= within.bottom; row++)
    for (let col = within.left; col <= Math.min(within.right, Math.max(within.left, sub.sheet.lastCol)); col++)
      if (document.value(sub, row, col) === null && ++count <= maxListedCells) named.push(cellName(row, col));
  const list = listWithRest(named, count);
  return list && `${list} are blank`;
}

function findDuplicates(document: SheetDocument, place: SheetRange): string | undefined {
  const first = new Map<string, string>();
  return describeFirstCells(document, [place], (sub, row, col) => {
    const value = document.value(sub, row, col);
    const key = typeof value === 'string' ? `t${foldText(value)}` : `${typeof value}${String(value)}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, cellName(row, col));
    return before === undefined ? undefined : `repeats ${before} (${shorten(document.text(sub, row, col), 30)})`;
  });
}

function findMismatches(
  document: SheetDocument,
  place: SheetRange,
  pattern: string,
  field: string,
): string | undefined {
  const term = pattern.trim().replace(/^(["'/])(.*)\1$/s, '$2');
  let matches: (text: string) => boolean;
  try {
    matches = matcherOf({ term, regex: true, matchCase: true });
  } catch (error) {
    if (error instanceof BadPattern)
      throw invalid(`${field}: ${JSON.stringify(term)} is not a valid RE2 pattern: ${error.message}`);
    throw error;
  }
  return describeFirstCells(document, [place], (sub, row, col) => {
    const shown = document.text(sub, row, col);
    return matches(shown) ? undefined : `is ${shorten(shown, 40)}`;
  });
}

function compareSums(document: SheetDocument, one: SheetRange, other: SheetRange): string | undefined {
  const sums = [one, other].map(({ sub, rect }) => sub.sheet.totals(rect.top, rect.left, rect.bottom, rect.right).sum);
  const [left = 0, right = 0] = sums;
  if (Math.abs(left - right) <= tolerance * Math.max(1, Math.abs(left), Math.abs(right))) return undefined;
  return `${formatAddress(one.sub, one.rect)} sums to ${shownText(left, 'General')}, ${formatAddress(other.sub, other.rect)} to ${shownText(right, 'General')}`;
}

function evaluateFormulaAssertion(asking: AssertionContext, assertion: string, field: string): string | undefined {
  const text = assertion.replace(/^=/, '');
  const result = evaluate(asking, text, field);
  const values = Array.isArray(result) ? (result as readonly Scalar[]) : [result as Scalar];
  const wrong = values.findIndex((one) => one !== true);
  if (wrong < 0) return undefined;
  const value = values[wrong]!;
  if (value !== false)
    return value instanceof CellError
      ? `it gives ${value.text}`
      : `it gives ${value === null ? 'nothing' : shownText(value, 'General')}, not TRUE`;
  const where = values.length > 1 ? `for entry ${wrong + 1} of ${values.length}, ` : '';
  const sides = splitComparison(text);
  if (!sides) return `${where}it gives FALSE`;
  const [left, right] = [sides.left, sides.right].map((side) => {
    const given = evaluate(asking, side, field);
    const one = Array.isArray(given) ? ((given as readonly Scalar[])[wrong] ?? null) : (given as Scalar);
    return `${shorten(side.trim(), 80)} is ${one instanceof CellError ? one.text : JSON.stringify(one)}`;
  });
  return `${where}${left}, ${right}`;
}

function evaluate(
  { document, sheet, calculation }: AssertionContext,
  text: string,
  field: string,
): Scalar | readonly Scalar[] {
  const sub =
    sheet === undefined
      ? document.subSheets[0]!
      : (document.find(sheet) ?? document.byName(sheet) ?? document.subSheets[0]!);
  try {
    return evaluateFormula(document.workbook, sub.sheet, text, calculation);
  } catch (error) {
    if (error instanceof FormulaSyntaxError)
      throw fail('formula', `${field}: ${shorten(text, 100)} is not a formula: ${error.message}`);
    throw error;
  }
}

/**
 * Splits a formula at its first comparison operator outside parentheses and quotes. Returns undefined if there is none.
 */
function splitComparison(text: string): { left: string; right: string } | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === '"' || letter === "'") {
      const end = text.indexOf(letter, at + 1);
      if (end < 0) return undefined;
      at = end;
    } else if ('([{'.includes(letter)) depth++;
    else if (')]}'.includes(letter)) depth--;
    else if (depth === 0 && '=<>'.includes(letter)) {
      const length = at + 1 < text.length && '=>'.includes(text[at + 1]!) ? 2 : 1;
      return { left: text.slice(0, at), right: text.slice(at + length) };
    }
  }
  return undefined;
}
