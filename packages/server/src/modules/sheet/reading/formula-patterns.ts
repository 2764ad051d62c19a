import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { cellName, charge, rectName, type Rect } from '@sheaf/engine';
import { shorten } from './shorten.ts';

const maxBreaks = 3;
const longestFormula = 70;

/** The most frequent formula of a column and the cells that deviate from it. */
export interface ColumnFormulas {
  /**
   * Identifies the formula by its pattern and constants. Columns across which a formula was filled have the same key.
   */
  readonly key: string;
  /** Text of the most frequent formula, from the first row that has the formula with its usual constants. */
  readonly formula: string;
  readonly range: string;
  readonly count: number;
  readonly breaks: readonly string[];
  readonly breakCount: number;
}

interface FormulaSpan {
  readonly top: number;
  readonly bottom: number;
  /**
   * Number that identifies the formula of the span. All its cells have the same formula, with references relative to
   * the cell.
   */
  readonly pattern: number;
}

/**
 * Describes the formulas of a table column: the most frequent one and the cells that deviate from it. Returns undefined
 * if the column has no formulas.
 */
export function analyzeColumnFormulas(
  document: SheetDocument,
  sub: SubSheet,
  body: Rect,
  col: number,
): ColumnFormulas | undefined {
  const { graph } = document.workbook;
  graph.flush();
  const stretches: FormulaSpan[] = [];
  graph.maps.get(sub.sheet.id)?.eachIn(body.top, col, body.bottom, col, (group) => {
    stretches.push({
      top: Math.max(group.top, body.top),
      bottom: Math.min(group.bottom, body.bottom),
      pattern: group.pattern.id + 1,
    });
  });
  if (stretches.length === 0) return undefined;
  const sizes = new Map<number, number>();
  for (const { top, bottom, pattern } of stretches) sizes.set(pattern, (sizes.get(pattern) ?? 0) + bottom - top + 1);
  const [main, count] = [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best));
  const first = stretches.find(({ pattern }) => pattern === main)!;
  const last = stretches.findLast(({ pattern }) => pattern === main)!;
  const found: { row: number; rows: number }[] = findDeviatingConstants(
    document,
    sub,
    col,
    stretches.filter(({ pattern }) => pattern === main),
  );
  // The row whose formula is reported as the column's most frequent one. If the first rows with this formula contain a
  // deviating constant, use the row below them.
  const usual = found[0]?.row === first.top ? first.top + found[0].rows : first.top;
  const tell = (row: number, rows: number): void => void found.push({ row, rows });
  let next = first.top;
  for (const { top, bottom, pattern } of stretches) {
    if (top > next && next >= first.top && next <= last.bottom && count > 1)
      reportGap(document, sub, col, next, Math.min(top - 1, last.bottom), tell);
    if (pattern !== main && count > 1) tell(top, bottom - top + 1);
    next = Math.max(next, bottom + 1);
  }
  found.sort((a, b) => a.row - b.row);
  const breaks = found
    .slice(0, maxBreaks)
    .map(
      ({ row }) =>
        `${cellName(row, col)} ${shorten(document.formula(sub, row, col) ?? describeConstant(document, sub, row, col), longestFormula)}`,
    );
  const constants = document.workbook.templateAt(sub.sheet, usual, col)?.constants ?? [];
  return {
    key: `${main} ${JSON.stringify(constants)}`,
    formula: shorten(document.formula(sub, usual, col) ?? document.formula(sub, first.top, col) ?? '', longestFormula),
    range: rectName({ top: first.top, bottom: last.bottom, left: col, right: col }),
    count,
    breaks,
    breakCount: found.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/**
 * If at least this share of a column's formulas have the same constant, such as the 2 in `=B2*2`, a different constant
 * counts as a deviation. Columns with fewer formulas than `fewestRows` are not checked.
 */
const usualShare = 0.8;
const fewestRows = 4;

/**
 * Returns runs of rows with an unusual constant in their formula, such as `=B51*3` in a column of formulas like
 * `=B2*2`. Constants that vary from row to row are not unusual.
 */
function findDeviatingConstants(
  { workbook }: SheetDocument,
  sub: SubSheet,
  col: number,
  stretches: readonly FormulaSpan[],
): { row: number; rows: number }[] {
  const runs: { row: number; rows: number; constants: readonly (number | string)[] }[] = [];
  let total = 0;
  for (const { top, bottom } of stretches) {
    charge(bottom - top + 1);
    for (let row = top; row <= bottom; row++) {
      const constants = workbook.templateAt(sub.sheet, row, col)?.constants ?? [];
      const last = runs.at(-1);
      if (last && last.constants === constants && last.row + last.rows === row) last.rows++;
      else runs.push({ row, rows: 1, constants });
    }
    total += bottom - top + 1;
  }
  if (runs.length < 2 || total < fewestRows) return [];
  const usual = (runs[0]?.constants ?? []).map((_, slot) => {
    const counts = new Map<number | string | undefined, number>();
    for (const { constants, rows } of runs) counts.set(constants[slot], (counts.get(constants[slot]) ?? 0) + rows);
    const [value, count] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
    return count >= total * usualShare ? value : undefined;
  });
  return runs.filter(({ constants }) => usual.some((value, slot) => value !== undefined && constants[slot] !== value));
}

function describeConstant(document: SheetDocument, sub: SubSheet, row: number, col: number): string {
  return document.value(sub, row, col) === null ? 'is blank' : `is the constant ${document.text(sub, row, col)}`;
}

/**
 * Reports each row from `top` to `bottom` as a deviation by calling `tell`. These rows have no formula, but there are
 * formulas above and below them. Rows whose cell is filled by an array formula are skipped.
 */
function reportGap(
  document: SheetDocument,
  sub: SubSheet,
  col: number,
  top: number,
  bottom: number,
  tell: (row: number, rows: number) => void,
): void {
  for (let row = top; row <= bottom; row++) if (!sub.sheet.cells.isSpilled(row, col)) tell(row, 1);
}
