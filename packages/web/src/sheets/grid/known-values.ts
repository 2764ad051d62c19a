import type { Grid } from './grid.ts';

/** Rows above and below that are looked at. */
const reach = 500;
/** A number that is typed is meant as it is. */
const isNumber = /^[\d.,+\-%\s]*$/;

/**
 * The one text of the column that begins with what was typed, as Excel completes it: among the cells above and below without
 * a gap. Undefined where there is none, or more than one.
 */
export function completedBy({ model }: Grid, row: number, col: number, typed: string): string | undefined {
  if (typed === '' || isNumber.test(typed) || typed.startsWith('=')) return undefined;
  const begin = typed.toLocaleLowerCase();
  let found: string | undefined;
  for (const step of [-1, 1]) {
    for (let at = row + step; at >= 0 && Math.abs(at - row) <= reach; at += step) {
      const text = model.text(at, col) ?? '';
      if (text === '') break;
      if (text.length <= typed.length || !text.toLocaleLowerCase().startsWith(begin) || isNumber.test(text)) continue;
      if (found !== undefined && found !== text) return undefined;
      found = text;
    }
  }
  return found;
}
