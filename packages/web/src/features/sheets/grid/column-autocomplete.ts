import type { Grid } from './grid.ts';

const maxRowsSearched = 500;
/** Matches text that looks like a number. Such text is not autocompleted. */
const isNumber = /^[\d.,+\-%\s]*$/;

/**
 * Completes the text typed into a cell like Excel: searches the filled cells directly above and below the cell for a
 * text that begins with the typed text. Returns undefined unless exactly one text matches. Numbers and formulas are not
 * completed.
 */
export function completeFromColumn({ model }: Grid, row: number, col: number, typed: string): string | undefined {
  if (typed === '' || isNumber.test(typed) || typed.startsWith('=')) return undefined;
  const begin = typed.toLocaleLowerCase();
  let found: string | undefined;
  for (const step of [-1, 1]) {
    for (let at = row + step; at >= 0 && Math.abs(at - row) <= maxRowsSearched; at += step) {
      const text = model.text(at, col) ?? '';
      if (text === '') break;
      if (text.length <= typed.length || !text.toLocaleLowerCase().startsWith(begin) || isNumber.test(text)) continue;
      if (found !== undefined && found !== text) return undefined;
      found = text;
    }
  }
  return found;
}
