import { rangesIntersect, parseSheetRange, rangesEqual, type CellRange } from '../cell-geometry.ts';
import type { SheetSession } from '../sheet-session.ts';

export interface DetectedTable {
  readonly range: CellRange;
  /** True if the first row probably contains headings. */
  readonly hasHeader: boolean;
  /** True if the last row probably contains totals. */
  readonly hasTotals?: boolean;
}

/**
 * Returns the selected range without unused rows and columns at its end. If a single cell is selected, returns the
 * table that contains it, or else the first table or the used range. Returns undefined if the sub-sheet is empty.
 */
export async function detectSelectedTable(session: SheetSession): Promise<DetectedTable | undefined> {
  const { range, active } = session.selection.get();
  const tab = session.tab.id;
  const [used, { sheets }] = await Promise.all([
    session.read('get_used_range', { sheet_id: tab }),
    session.read('describe_sheet', { sheet_id: tab, max_tokens: 4000 }),
  ]);
  const whole = parseSheetRange(used.range)?.range;
  if (!whole) return undefined;
  const tables = sheets
    .flatMap((sheet) => sheet.regions)
    .flatMap((region) => {
      const place = parseSheetRange(region.range);
      return place ? [{ range: place.range, hasHeader: region.has_header, hasTotals: region.has_totals === true }] : [];
    });
  if (range.top === range.bottom && range.left === range.right) {
    const here = { top: active.row, left: active.col, bottom: active.row, right: active.col };
    return tables.find((one) => rangesIntersect(one.range, here)) ?? tables[0] ?? { range: whole, hasHeader: false };
  }
  if (!rangesIntersect(range, whole)) return { range, hasHeader: false };
  // Limit the selection to the used range, in case whole columns or rows are selected.
  const clipped = {
    top: Math.max(range.top, range.bottom > whole.bottom ? whole.top : 0),
    left: range.left,
    bottom: Math.min(range.bottom, Math.max(whole.bottom, range.top)),
    right: Math.min(range.right, Math.max(whole.right, range.left)),
  };
  const same = tables.find(
    (one) => rangesEqual(one.range, clipped) || (one.range.top === clipped.top && rangesIntersect(one.range, clipped)),
  );
  return { range: clipped, hasHeader: same?.hasHeader ?? false };
}

/** Returns the table without its totals row, which must not be sorted. */
export function withoutTotals(table: DetectedTable): DetectedTable {
  const { range, hasTotals } = table;
  return hasTotals ? { ...table, range: { ...range, bottom: range.bottom - 1 } } : table;
}

/** Returns the texts of the first row of a range as column headings, for at most 1000 columns. */
export async function readHeadings(session: SheetSession, tab: string, range: CellRange): Promise<string[]> {
  const { cells = [] } = await session.read('get_cell_data', {
    sheet_id: tab,
    start_row: range.top,
    end_row: range.top,
    start_col: range.left,
    end_col: Math.min(range.right, range.left + 999),
  });
  const texts = Array.from({ length: Math.min(1000, range.right - range.left + 1) }, () => '');
  for (const { col, string_value: text, number_value: number, bool_value: flag } of cells)
    texts[col - range.left] =
      text ?? (number === undefined ? (flag === undefined ? '' : String(flag).toUpperCase()) : String(number));
  return texts;
}
