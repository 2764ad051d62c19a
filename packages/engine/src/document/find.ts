import { RE2JS } from 're2js';
import { cellName, type Rect } from '../base/address.ts';
import { BudgetExceeded, charge } from '../base/budget.ts';
import { foldText } from '../base/compare.ts';
import type { SheetDocument } from './document.ts';
import { maxPattern, compileRegex, matcherFor } from '../base/regex.ts';
import { labelFormat } from './pivot/label-format.ts';
import { shownText } from './display-text.ts';
import type { SubSheet } from './objects/sub-sheet.ts';
import { blankTag, pivotMark, textTag, type Band } from '../store/chunk.ts';

export interface FindOptions {
  readonly term: string;
  /** The sub-sheets to search; all of them if absent. */
  readonly sheets?: readonly SubSheet[];
  readonly within?: Partial<Rect>;
  readonly matchCase?: boolean;
  readonly entireCell?: boolean;
  /**
   * True if the search term is a regular expression. The syntax is RE2, which has no look-around and no back
   * references.
   */
  readonly regex?: boolean;
  /** True to search the formula text instead of the formatted value in cells that have a formula. */
  readonly formulas?: boolean;
  readonly offset?: number;
  readonly most?: number;
}

export interface FindResult {
  readonly total: number;
  readonly results: readonly {
    readonly sheet: string;
    readonly row: number;
    readonly col: number;
    readonly address: string;
  }[];
  /** True if there are more results, on later pages or past the counting limit `maxFound`. */
  readonly overflow: boolean;
  /** Offset of the next page; 0 if there is none or if counting stopped at `maxFound`. */
  readonly nextOffset: number;
}

/** Maximum number of results counted, so that a search term that matches everywhere does not visit every cell. */
export const maxFound = 100_000;

/** Thrown if a search term is too long or not a valid regular expression. */
export class BadPattern extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadPattern';
  }
}

export type Matcher = (text: string) => boolean;

/**
 * Returns a function that tests whether a text matches the search term. Throws BadPattern if the term is a regular
 * expression that is invalid or too long.
 */
export function matcherOf(options: Pick<FindOptions, 'term' | 'matchCase' | 'entireCell' | 'regex'>): Matcher {
  const { term, matchCase = false, entireCell = false, regex = false } = options;
  if (regex) {
    const compiled = compilePattern(term, matchCase);
    return entireCell ? (text) => matcherFor(compiled, text).matches() : (text) => matcherFor(compiled, text).find();
  }
  const wanted = matchCase ? term : foldText(term);
  if (entireCell) return matchCase ? (text) => text === wanted : (text) => foldText(text) === wanted;
  return matchCase ? (text) => text.includes(wanted) : (text) => foldText(text).includes(wanted);
}

/**
 * Returns a function that replaces matches in a text. Without `regex`, term and replacement are literal text. Throws
 * BadPattern if the term is too long or, with `regex`, not a valid regular expression.
 */
export function replacerOf(
  options: Pick<FindOptions, 'term' | 'matchCase' | 'entireCell' | 'regex'> & { readonly replacement: string },
): (text: string) => string {
  const { term, matchCase = false, entireCell = false, regex = false } = options;
  const pattern = regex ? term : RE2JS.quote(term);
  const replacement = regex ? options.replacement : RE2JS.quoteReplacement(options.replacement, true);
  const compiled = compilePattern(entireCell ? `^(?:${pattern})$` : pattern, matchCase);
  return (text) => matcherFor(compiled, text).replaceAll(replacement, true);
}

function compilePattern(term: string, matchCase: boolean): RE2JS {
  if (term.length > maxPattern)
    throw new BadPattern(`a pattern has at most ${maxPattern} characters, this one has ${term.length}`);
  try {
    return compileRegex(term, !matchCase);
  } catch (error) {
    // The library's message shows the pattern with the `(?i)` flag added to it. Users did not write the flag, so it is
    // removed.
    if (error instanceof Error && !(error instanceof BudgetExceeded))
      throw new BadPattern(error.message.replace('`(?i)', '`'));
    throw error;
  }
}

/** Returns one page of the cells whose text matches, sub-sheet by sub-sheet, row by row. */
export function find(document: SheetDocument, options: FindOptions): FindResult {
  const matches = matcherOf(options);
  const { offset = 0, most = 50 } = options;
  const results: { sheet: string; row: number; col: number; address: string }[] = [];
  let total = 0;
  let stopped = false;
  for (const sub of options.sheets ?? document.subSheets) {
    if (stopped) break;
    eachMatch(document, sub, options, matches, (row, col) => {
      if (total === maxFound) {
        stopped = true;
        return false;
      }
      if (total >= offset && results.length < most)
        results.push({ sheet: sub.id, row, col, address: cellName(row, col) });
      total++;
      return true;
    });
  }
  const more = offset + results.length < total;
  return { total, results, overflow: stopped || more, nextOffset: more && !stopped ? offset + results.length : 0 };
}

const matchingMark = 1;
const differingMark = 2;

/** Calls `visit` for each matching cell of a sub-sheet, row by row, until `visit` returns false. */
function eachMatch(
  document: SheetDocument,
  sub: SubSheet,
  options: FindOptions,
  matches: Matcher,
  visit: (row: number, col: number) => boolean,
): void {
  const { cells } = sub.sheet;
  const { workbook, styles } = document;
  const { top = 0, left = 0, bottom = Infinity, right = Infinity } = options.within ?? {};
  // Cells with equal texts share a text id, so the result for each distinct text is cached.
  const known = new Uint8Array(workbook.strings.highest + 1);
  const textMatches = (id: number): boolean => {
    if (known[id] === 0) known[id] = meets(cells.strings.get(id)) ? matchingMark : differingMark;
    return known[id] === matchingMark;
  };
  const meets: Matcher = (text) => {
    charge(2 + (text.length >> 4));
    return matches(text);
  };
  for (let b = cells.bandIndex(top); b < cells.bands.length; b++) {
    const band = cells.bands[b] as Band;
    if (band.start > bottom) return;
    const last = Math.min(right, band.chunks.length - 1);
    const to = Math.min(band.height - 1, bottom - band.start);
    for (let i = Math.max(0, top - band.start); i <= to; i++) {
      charge(1 + ((last - left) >> 2));
      for (let col = left; col <= last; col++) {
        const chunk = band.chunks[col];
        const tag = chunk?.tags[i] ?? blankTag;
        const id = chunk?.formulas?.[i] ?? 0;
        if (!chunk || (tag === blankTag && id <= 0)) continue;
        const row = band.start + i;
        const num = chunk.nums[i] as number;
        let found: boolean;
        if (options.formulas && id > 0) found = meets(workbook.templates.get(id)?.text(row, col, workbook) ?? '');
        else {
          const pattern =
            styles.get(sub.styles.at(row, col)).numberFormat ??
            (id === pivotMark ? labelFormat(document, sub, row, col) : undefined);
          found =
            tag === textTag && pattern === undefined
              ? textMatches(num)
              : meets(shownText(cells.decode(tag, num), pattern ?? 'General'));
        }
        if (found && !visit(row, col)) return;
      }
    }
  }
}
