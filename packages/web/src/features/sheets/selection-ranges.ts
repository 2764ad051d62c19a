import type { Cell, CellRange } from './cell-geometry.ts';
import type { Grid } from './grid/grid.ts';
import {
  selectedRanges,
  type ContextMenuTarget,
  type SheetSession,
  type ToolInput,
  type ToolName,
} from './sheet-session.ts';
import { axisRuns, type AxisName, type AxisRun } from './multi-range.ts';

/** Returns whether the selection consists of whole rows, whole columns or cells. */
export function selectionKind({ model, session }: Grid): ContextMenuTarget['kind'] {
  const { top, left, bottom, right } = session.selection.get().range;
  if (left === 0 && right >= model.cols.count - 1) return 'rows';
  return top === 0 && bottom >= model.rows.count - 1 ? 'cols' : 'cells';
}

/** Returns the selection without the spare rows and columns beyond the end of the sheet. */
function existingRange({ model: { size }, session }: Grid): CellRange {
  const { top, left, bottom, right } = session.selection.get().range;
  return {
    top,
    left,
    bottom: Math.max(top, Math.min(bottom, size.rows - 1)),
    right: Math.max(left, Math.min(right, size.cols - 1)),
  };
}

/**
 * Returns the selection, with whole rows and columns cut at the end of the sheet, so that formatting them does not
 * enlarge it.
 */
export function clippedSelection(grid: Grid): CellRange {
  return selectionKind(grid) === 'cells' ? grid.session.selection.get().range : existingRange(grid);
}

/** Returns all selected ranges, with whole rows and columns cut at the end of the sheet. */
export function clippedSelectedRanges({ model: { size, rows, cols }, session }: Grid): CellRange[] {
  return selectedRanges(session.selection.get()).map((one) => ({
    ...one,
    bottom: one.top === 0 && one.bottom >= rows.count - 1 ? Math.max(0, size.rows - 1) : one.bottom,
    right: one.left === 0 && one.right >= cols.count - 1 ? Math.max(0, size.cols - 1) : one.right,
  }));
}

/**
 * Returns the rows or columns next to which others are inserted. Additional ranges that span the whole axis are
 * ignored, because they define no position.
 */
export function insertRuns({ model: { rows, cols }, session }: Grid, axis: AxisName): AxisRun[] {
  const { range, others } = session.selection.get();
  const isWhole = (one: CellRange): boolean =>
    axis === 'row' ? one.top === 0 && one.bottom >= rows.count - 1 : one.left === 0 && one.right >= cols.count - 1;
  return axisRuns([...others.filter((one) => !isWhole(one)), range], axis, false);
}

/** Returns the selected rows or columns that exist in the sheet. */
export function selectedRuns({ model: { size }, session }: Grid, axis: AxisName): AxisRun[] {
  const present = selectedRanges(session.selection.get()).map((one) => ({
    ...one,
    bottom: Math.max(one.top, Math.min(one.bottom, size.rows - 1)),
    right: Math.max(one.left, Math.min(one.right, size.cols - 1)),
  }));
  return axisRuns(present, axis, true);
}

/** Returns the selected rows or columns; for unhiding, extended to the hidden ones next to them. */
export function visibilityRun(grid: Grid, axis: AxisName, visible: boolean): { first: number; last: number } {
  const { rows, cols, size } = grid.model;
  const { top, left, bottom, right } = existingRange(grid);
  const [first, last, along, count] = axis === 'row' ? [top, bottom, rows, size.rows] : [left, right, cols, size.cols];
  if (!visible) return { first, last };
  return {
    first: (along.nextShown(first - 1, -1) ?? -1) + 1,
    last: Math.min(count, along.nextShown(last + 1, 1) ?? count) - 1,
  };
}

/** Calls a tool for each input as a single undo step. */
export async function writeBatch<Name extends ToolName>(
  session: SheetSession,
  tool: Name,
  inputs: readonly ToolInput<Name>[],
): Promise<void> {
  if (inputs.length === 1) await session.write(tool, inputs[0]!);
  else if (inputs.length > 1) await session.write('batch', { calls: inputs.map((one) => ({ tool, arguments: one })) });
}

export function selectAll({ model: { rows, cols }, session }: Grid): void {
  session.select({ top: 0, left: 0, bottom: rows.count - 1, right: cols.count - 1 }, session.selection.get().active);
}

export function selectRows(
  { model, session }: Grid,
  first: number,
  last: number,
  active?: Cell,
  others: readonly CellRange[] = [],
): void {
  session.select(
    { top: Math.min(first, last), left: 0, bottom: Math.max(first, last), right: model.cols.count - 1 },
    active ?? { row: first, col: Math.max(0, model.cols.nextShown(0, 1) ?? 0) },
    others,
  );
}

export function selectCols(
  { model, session }: Grid,
  first: number,
  last: number,
  active?: Cell,
  others: readonly CellRange[] = [],
): void {
  session.select(
    { top: 0, left: Math.min(first, last), bottom: model.rows.count - 1, right: Math.max(first, last) },
    active ?? { row: Math.max(0, model.rows.nextShown(0, 1) ?? 0), col: first },
    others,
  );
}
