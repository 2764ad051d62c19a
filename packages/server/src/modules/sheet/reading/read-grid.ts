import { charactersPerToken } from '../schema.ts';
import type { Locale } from '../cells/locale.ts';
import { toGridValue, type GridValue } from '../cells/grid-value.ts';
import type { SheetDocument, SubSheet, Template } from '@sheaf/engine/internal/document';
import { charge, rectName, readRange, type Rect } from '@sheaf/engine';
import { formatRunsByAddress, type ColumnRun } from './column-runs.ts';

const rowsPerChunk = 256;
/**
 * Approximate number of JSON characters of an answer besides its rows. It is subtracted from the characters allowed for
 * the rows.
 */
const answerOverhead = 120;

export interface ReadGridOptions {
  readonly tokens: number;
  readonly formulas?: boolean;
  readonly formats?: boolean;
  readonly merges?: boolean;
  readonly exact?: boolean;
  readonly locale: Locale;
}

export interface ReadGrid {
  /** Cell values by row number, starting at 1. Empty rows are left out, and so are empty cells at the end of a row. */
  rows: Record<string, GridValue[]>;
  formulas?: Record<string, string>;
  formats?: Record<string, string>;
  merges?: string[];
  /**
   * Index (from 0) of the last row that was read. It is above the bottom of the range if the token limit was reached.
   */
  bottom: number;
}

/** Reads the cells of a range row by row. Reads as many rows as the tokens allow, but at least one. */
export function readGrid(document: SheetDocument, sub: SubSheet, rect: Rect, options: ReadGridOptions): ReadGrid {
  const merges = options.merges ? sub.merges.meeting(rect).map(rectName) : [];
  const formats = options.formats ? readFormats(document, sub, rect) : {};
  let left = options.tokens * charactersPerToken - answerOverhead;
  left -= Math.min(left / 2, merges.join('","').length + JSON.stringify(formats).length);
  const rows: Record<string, GridValue[]> = {};
  let bottom = rect.bottom;
  let any = false;
  fill: for (let top = rect.top; top <= rect.bottom; top += rowsPerChunk) {
    const last = Math.min(rect.bottom, top + rowsPerChunk - 1);
    for (const { row, cells, cost } of rowsOf(document, sub, { ...rect, top, bottom: last }, options)) {
      left -= cost;
      if (left < 0 && any) {
        bottom = row - 1;
        break fill;
      }
      any = true;
      rows[row + 1] = cells;
    }
  }
  const shown = { ...rect, bottom };
  return {
    rows,
    ...(options.formulas ? { formulas: readFormulas(document, sub, shown) } : {}),
    ...(options.formats ? { formats: bottom === rect.bottom ? formats : readFormats(document, sub, shown) } : {}),
    ...(options.merges ? { merges } : {}),
    bottom,
  };
}

interface GridRow {
  readonly row: number;
  readonly cells: GridValue[];
  cost: number;
}

function rowsOf(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  { formulas, exact, locale }: ReadGridOptions,
): GridRow[] {
  const found: GridRow[] = [];
  charge((rect.bottom - rect.top + 1) * 4);
  const { cells: store } = sub.sheet;
  for (const { row, col, value, formula } of readRange(
    document.workbook,
    sub.sheet,
    rect.top,
    rect.left,
    rect.bottom,
    rect.right,
  )) {
    if (value === null && formula === undefined) continue;
    let open = found.at(-1);
    if (open?.row !== row) {
      open = { row, cells: [], cost: String(row).length + 6 };
      found.push(open);
    }
    while (open.cells.length < col - rect.left) {
      open.cells.push('');
      open.cost += 3;
    }
    const cell = toGridValue(value, document.numberFormat(sub, row, col), exact, locale);
    open.cells.push(cell);
    open.cost += (typeof cell === 'string' ? JSON.stringify(cell).length : String(cell).length) + 1;
    if (formulas && formula !== undefined) {
      const id = store.formulaId(row, col);
      const isFilled = (row > rect.top && store.formulaId(row - 1, col) === id) || store.formulaId(row, col - 1) === id;
      if (!isFilled) open.cost += formula.length + 12;
    }
  }
  return found;
}

/**
 * Returns the formulas of a range by address. Adjacent cells into which the same formula was filled share one entry
 * with the formula of the first cell.
 */
export function readFormulas(document: SheetDocument, sub: SubSheet, rect: Rect): Record<string, string> {
  return formatRunsByAddress(formulaRuns(document, sub, rect), (template, { top, left }) =>
    template.text(top, left, document.workbook),
  );
}

function formulaRuns(document: SheetDocument, sub: SubSheet, rect: Rect): ColumnRun<Template>[] {
  const runs: ColumnRun<Template>[] = [];
  const { cells, lastCol } = sub.sheet;
  for (let col = rect.left; col <= Math.min(rect.right, lastCol); col++) {
    let open: { col: number; top: number; bottom: number; what: Template } | undefined;
    cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
      if (!chunk.formulas) return;
      charge(to - from + 1);
      for (let i = from; i <= to; i++) {
        const id = chunk.formulas[i] as number;
        if (id <= 0) continue;
        const row = start + i;
        if (open && open.what.id === id && open.bottom === row - 1) open.bottom = row;
        else {
          const what = document.workbook.templates.get(id);
          if (!what) continue;
          open = { col, top: row, bottom: row, what };
          runs.push(open);
        }
      }
    });
  }
  return runs;
}

/** Returns the number formats of a range by address, except General. */
function readFormats(document: SheetDocument, sub: SubSheet, rect: Rect): Record<string, string> {
  return formatRunsByAddress(formatRuns(document, sub, rect), (pattern) => pattern);
}

function formatRuns(document: SheetDocument, sub: SubSheet, rect: Rect): ColumnRun<string>[] {
  const runs: { col: number; top: number; bottom: number; what: string }[] = [];
  for (const [col, start, end, id] of sub.styles.list(rect)) {
    const pattern = document.styles.get(id).numberFormat ?? 'General';
    if (pattern === 'General') continue;
    const top = Math.max(start, rect.top);
    const bottom = Math.min(end, rect.bottom);
    const last = runs.at(-1);
    if (last && last.col === col && last.bottom === top - 1 && last.what === pattern) last.bottom = bottom;
    else runs.push({ col, top, bottom, what: pattern });
  }
  return runs;
}
