import type { Cell, CellRange } from './cell-geometry.ts';
import type { Grid } from './grid/grid.ts';
import { maxCalls } from './grid/paste-calls.ts';
import { selectedRanges, type SheetSession, type ToolInput, type ToolName } from './sheet-session.ts';
import { axisRuns, spanOf, withoutRows, withSpan, type AxisName, type AxisRun } from './multi-range.ts';

type RangeKind = 'cells' | 'rows' | 'cols';

/** Returns whether the selected range consists of whole rows, whole columns or individual cells. */
export function selectionKind({ model, session }: Grid): RangeKind {
  return rangeKind(model, session.selection.get().range);
}

function rangeKind(model: Grid['model'], { top, left, bottom, right }: CellRange): RangeKind {
  if (left === 0 && right >= model.cols.count - 1) return 'rows';
  return top === 0 && bottom >= model.rows.count - 1 ? 'cols' : 'cells';
}

/** Returns whether a row or column is in one of the selected ranges of whole rows or columns. */
export function isLineSelected(grid: Grid, axis: AxisName, index: number): boolean {
  const kind: RangeKind = `${axis}s`;
  if (selectionKind(grid) !== kind) return false;
  return selectedRanges(grid.session.selection.get()).some((one) => {
    const [first, last] = spanOf(one, axis);
    return rangeKind(grid.model, one) === kind && first <= index && index <= last;
  });
}

/**
 * Clips a range to the rows and columns that exist on the server. The grid shows further empty rows and columns after
 * them.
 */
function existingRange({ model: { size } }: Grid, range: CellRange): CellRange {
  return {
    ...range,
    bottom: Math.max(range.top, Math.min(range.bottom, size.rows - 1)),
    right: Math.max(range.left, Math.min(range.right, size.cols - 1)),
  };
}

/**
 * Returns the selected range. Whole rows and columns are clipped to the end of the sheet, so that formatting them does
 * not enlarge the sheet.
 */
export function clippedSelection(grid: Grid): CellRange {
  const { range } = grid.session.selection.get();
  return selectionKind(grid) === 'cells' ? range : existingRange(grid, range);
}

/** Returns all selected ranges. Whole rows and columns are clipped to the end of the sheet. */
export function clippedSelectedRanges({ model: { size, rows, cols }, session }: Grid): CellRange[] {
  return selectedRanges(session.selection.get()).map((one) => ({
    ...one,
    bottom: one.top === 0 && one.bottom >= rows.count - 1 ? Math.max(0, size.rows - 1) : one.bottom,
    right: one.left === 0 && one.right >= cols.count - 1 ? Math.max(0, size.cols - 1) : one.right,
  }));
}

/**
 * Returns the selected rows or columns next to which new ones are inserted. Additional selected ranges that contain all
 * rows (or columns) are ignored, because they define no position.
 */
export function insertRuns({ model, session }: Grid, axis: AxisName): AxisRun[] {
  const { range, others } = session.selection.get();
  const isWhole = (one: CellRange): boolean => {
    const [first, last] = spanOf(one, axis);
    return first === 0 && last >= model.axis(axis).count - 1;
  };
  return axisRuns([...others.filter((one) => !isWhole(one)), range], axis, false);
}

/**
 * Returns the selected rows or columns that exist in the sheet, as runs. Overlapping and adjacent runs are merged, and
 * rows that filters hide are left out.
 */
export function selectedRuns(grid: Grid, axis: AxisName): AxisRun[] {
  const present = selectedRanges(grid.session.selection.get()).map((one) => existingRange(grid, one));
  return axisRuns(axis === 'row' ? withoutRows(grid.model.filteredRows, present) : present, axis, true);
}

/** Returns the rows or columns to hide or show: the selected ones, and for showing also the adjacent hidden ones. */
export function visibilityRun(grid: Grid, axis: AxisName, visible: boolean): AxisRun {
  const [first, last] = spanOf(existingRange(grid, grid.session.selection.get().range), axis);
  const along = grid.model.axis(axis);
  const count = grid.model.size[`${axis}s`];
  if (!visible) return { index: first, count: last - first + 1 };
  const index = (along.nextShown(first - 1, -1) ?? -1) + 1;
  return { index, count: Math.min(count, along.nextShown(last + 1, 1) ?? count) - index };
}

/** Calls a sheet tool once per input. Each batch of at most `maxCalls` calls is one undo step. */
export async function writeBatch<Name extends ToolName>(
  session: SheetSession,
  tool: Name,
  inputs: readonly ToolInput<Name>[],
): Promise<void> {
  if (inputs.length === 1) await session.write(tool, inputs[0]!);
  else
    for (let from = 0; from < inputs.length; from += maxCalls) {
      const part = inputs.slice(from, from + maxCalls);
      await session.write('batch', { calls: part.map((one) => ({ tool, arguments: one })) });
    }
}

export function selectAll({ model: { rows, cols }, session }: Grid): void {
  session.select({ top: 0, left: 0, bottom: rows.count - 1, right: cols.count - 1 }, session.selection.get().active);
}

export function selectLines(
  { model: { rows, cols }, session }: Grid,
  axis: AxisName,
  first: number,
  last: number,
  active?: Cell,
  others: readonly CellRange[] = [],
): void {
  const whole = { top: 0, left: 0, bottom: rows.count - 1, right: cols.count - 1 };
  const start =
    axis === 'row' ? { row: first, col: cols.nextShown(0, 1) ?? 0 } : { row: rows.nextShown(0, 1) ?? 0, col: first };
  session.select(withSpan(whole, axis, Math.min(first, last), Math.max(first, last)), active ?? start, others);
}
