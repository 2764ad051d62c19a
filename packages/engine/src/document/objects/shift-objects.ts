import type { Rect } from '../../base/address.ts';
import { mapPosition, mapSpan, type AxisChange, type Span } from '../../base/axis-change.ts';
import type { StructuralEdit } from '../../formula/rewrite-reference.ts';
import { mapCell } from '../../graph/shift-groups.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';
import type { Point } from './passthrough.ts';
import type { Anchor, Chart, ChartSeries, Filter, KeptFrame, PivotTable } from './sheet-objects.ts';
import { rectOf, regionOf, type Region } from './rect.ts';
import { Runs, type Run } from './run-length.ts';
import type { StyleGrid } from './styles.ts';
import type { SubSheetState } from './sub-sheet.ts';

export function axisLimit(axis: 'row' | 'col'): number {
  return axis === 'row' ? maxRows : maxCols;
}

/**
 * Returns the position of a rectangle after rows or columns are inserted, deleted or moved, or null if all its cells
 * are deleted. If the edit shifts only a strip of the sub-sheet (`within`), a rectangle that is not completely inside
 * the strip stays.
 */
export function shiftRect(rect: Rect, edit: StructuralEdit): Rect | null {
  const { axis, change, within } = edit;
  const rows = axis === 'row';
  if (within) {
    const inside = rows
      ? rect.left >= within.first && rect.right <= within.last
      : rect.top >= within.first && rect.bottom <= within.last;
    if (!inside) return rect;
  }
  const map = edit.reorders && change.kind === 'move' ? mapRange : mapSpan;
  const span = map(
    change,
    rows ? { first: rect.top, last: rect.bottom } : { first: rect.left, last: rect.right },
    axisLimit(axis),
  );
  if (!span) return null;
  return rows ? { ...rect, top: span.first, bottom: span.last } : { ...rect, left: span.first, right: span.last };
}

/**
 * Returns the rows or columns that an object covers after an edit. If some of its rows are moved to another place
 * inside the object, it stays where it is. If they are moved out of it, it shrinks; if other rows are moved between its
 * rows, it grows. The same applies to columns.
 */
export function mapRange(change: AxisChange, span: Span, limit: number): Span | undefined {
  if (change.kind !== 'move') return mapSpan(change, span, limit);
  const { from, count, to } = change;
  const inside = from >= span.first && from + count - 1 <= span.last;
  const whole = from <= span.first && from + count - 1 >= span.last;
  return inside && !whole && to >= span.first && to <= span.last + 1 ? span : mapSpan(change, span, limit);
}

function shiftRegion(region: Region | null, edit: StructuralEdit): Region | null {
  const rect = region && shiftRect(rectOf(region), edit);
  return rect && regionOf(rect);
}

function changeRuns(runs: Runs, change: AxisChange, limit: number): void {
  if (change.kind === 'insert') runs.insert(change.at, change.count, limit);
  else if (change.kind === 'delete') runs.remove(change.at, change.count);
  else runs.move(change.from, change.count, change.to);
}

function shiftRuns(runs: readonly Run[], change: AxisChange, limit: number): readonly Run[] {
  if (runs.length === 0) return runs;
  const made = Runs.from(runs);
  changeRuns(made, change, limit);
  return made.list();
}

export function shiftStyles(styles: StyleGrid, edit: StructuralEdit): void {
  const { axis, change, within } = edit;
  if (axis === 'row') {
    styles.alongRows((runs) => changeRuns(runs, change, maxRows), within?.first, within?.last);
    return;
  }
  const place = (col: number): number | undefined => {
    const to = mapPosition(change, col);
    return to === undefined || to >= maxCols ? undefined : to;
  };
  if (within) styles.alongColsWithin(within.first, within.last, place);
  else styles.alongCols(place);
}

function shiftAnchor(anchor: Anchor, edit: StructuralEdit): Anchor {
  if (edit.within) return anchor;
  const { axis, change } = edit;
  const at = axis === 'row' ? anchor.row : anchor.col;
  const to = Math.min(axisLimit(axis) - 1, mapPosition(change, at) ?? ('at' in change ? change.at : at));
  return axis === 'row' ? { ...anchor, row: to } : { ...anchor, col: to };
}

/**
 * Returns a cell's position after an edit. For a deleted cell, it returns the position of the cell that replaces it.
 */
export function shiftPoint([row, col]: Point, { axis, change }: StructuralEdit): Point {
  const map = (at: number, limit: number): number =>
    Math.min(limit - 1, mapPosition(change, at) ?? ('at' in change ? change.at : at));
  return axis === 'row' ? [map(row, maxRows), col] : [row, map(col, maxCols)];
}

/**
 * Moves a floating image or chart with the cells that the edit moves, and also the corner cells to which its imported
 * drawing element refers.
 */
function shiftFloating<T extends { readonly anchor: Anchor; readonly frame?: KeptFrame }>(
  one: T,
  edit: StructuralEdit,
): T {
  const anchor = shiftAnchor(one.anchor, edit);
  const points = edit.within ? undefined : one.frame?.points?.map((point) => shiftPoint(point, edit));
  return { ...one, anchor, ...(one.frame && points ? { frame: { ...one.frame, points } } : {}) };
}

function shiftFilter(filter: Filter, edit: StructuralEdit): Filter | null {
  const before = rectOf(filter.region);
  const rect = shiftRect(before, edit);
  if (!rect) return null;
  const { axis, change, within } = edit;
  const whole = !within || rect !== before;
  if (axis === 'row') {
    const hidden = whole
      ? shiftRuns(
          filter.hidden.map(([first, last]) => [first, last, 1]),
          change,
          maxRows,
        )
      : undefined;
    const runs = hidden?.map(([first, last]): [number, number] => [first, last]) ?? filter.hidden;
    return { ...filter, region: regionOf(rect), hidden: edit.reorders ? belowHeading(runs, rect) : runs };
  }
  const columns = whole
    ? filter.columns.flatMap((column) => {
        const col = mapPosition(change, column.col);
        const left = edit.reorders && col !== undefined && (col < rect.left || col > rect.right);
        return col === undefined || left ? [] : [{ ...column, col }];
      })
    : filter.columns;
  return { ...filter, region: regionOf(rect), columns, hidden: columns.length === 0 ? [] : filter.hidden };
}

/** Clips runs of rows hidden by a filter to the filter's data rows, below the header. */
function belowHeading(runs: readonly (readonly [number, number])[], rect: Rect): [number, number][] {
  return runs.flatMap(([first, last]): [number, number][] => {
    const from = Math.max(first, rect.top + 1);
    const to = Math.min(last, rect.bottom);
    return from <= to ? [[from, to]] : [];
  });
}

function resized(length: number, change: AxisChange, limit: number): number {
  if (change.kind === 'move') return length;
  if (change.kind === 'insert') return Math.min(limit, length + change.count);
  return Math.max(1, length - Math.max(0, Math.min(length, change.at + change.count) - change.at));
}

function frozen(count: number, change: AxisChange): number {
  if (change.kind === 'move' || change.at >= count) return count;
  if (change.kind === 'insert') return count + change.count;
  return Math.max(0, count - Math.min(change.count, count - change.at));
}

/**
 * Applies an insertion, deletion or move of rows or columns to a sub-sheet's state. It leaves tables, other objects on
 * ranges and stored XML elements of an imported file unchanged. The caller shifts these, because they contain formulas,
 * and rewriting formulas needs the names of the sub-sheets.
 */
export function shiftState(state: SubSheetState, edit: StructuralEdit): SubSheetState {
  const { axis, change, within } = edit;
  const rows = axis === 'row' && !within;
  const cols = axis === 'col' && !within;
  const place = <T>(entries: readonly (readonly [number, number, T])[]): (readonly [number, number, T])[] =>
    entries
      .flatMap(([row, col, value]) => {
        const to = mapCell(edit, row, col);
        return to ? [[to.row, to.col, value] as const] : [];
      })
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const [height, width] = state.size;
  return {
    size: [rows ? resized(height, change, maxRows) : height, cols ? resized(width, change, maxCols) : width],
    merges: state.merges
      .flatMap((region) => {
        const rect = shiftRect(rectOf(region), edit);
        return rect && (rect.top !== rect.bottom || rect.left !== rect.right) ? [regionOf(rect)] : [];
      })
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]),
    rowSizes: rows ? shiftRuns(state.rowSizes, change, maxRows) : state.rowSizes,
    colSizes: cols ? shiftRuns(state.colSizes, change, maxCols) : state.colSizes,
    hiddenRows: rows ? shiftRuns(state.hiddenRows, change, maxRows) : state.hiddenRows,
    hiddenCols: cols ? shiftRuns(state.hiddenCols, change, maxCols) : state.hiddenCols,
    freeze: {
      rows: rows ? frozen(state.freeze.rows, change) : state.freeze.rows,
      cols: cols ? frozen(state.freeze.cols, change) : state.freeze.cols,
    },
    links: place(state.links),
    rich: place(state.rich),
    filters: state.filters.flatMap((filter) => shiftFilter(filter, edit) ?? []),
    images: state.images.map((image) => shiftFloating(image, edit)),
    charts: state.charts.map((chart) =>
      shiftFloating(chart.dataSheet === undefined ? shiftChartData(chart, edit) : chart, edit),
    ),
    protections: state.protections.flatMap((one) => {
      if (one.region === null) return [one];
      const region = shiftRegion(one.region, edit);
      return region ? [{ ...one, region }] : [];
    }),
    rowGroups: rows ? shiftRuns(state.rowGroups, change, maxRows) : state.rowGroups,
    colGroups: cols ? shiftRuns(state.colGroups, change, maxCols) : state.colGroups,
    setup: state.setup,
    carried: state.carried,
    rowSources: rows ? shiftRuns(state.rowSources, change, maxRows) : state.rowSources,
    colSources: cols ? shiftRuns(state.colSources, change, maxCols) : state.colSources,
    formats: state.formats,
    validations: state.validations,
    comments: state.comments,
    tables: state.tables,
  };
}

export function shiftChartData(chart: Chart, edit: StructuralEdit): Chart {
  const region = shiftRegion(chart.region, edit);
  if (!chart.series) return { ...chart, region };
  const series = chart.series.map(({ name, labels, values, sizes }): ChartSeries => {
    const named = typeof name === 'string' ? name : shiftRegion(name ?? null, edit);
    const labeled = shiftRegion(labels ?? null, edit);
    const sized = shiftRegion(sizes ?? null, edit);
    return {
      ...(named === null ? {} : { name: named }),
      ...(labeled ? { labels: labeled } : {}),
      values: shiftRegion(values, edit),
      ...(sized ? { sizes: sized } : {}),
    };
  });
  return { ...chart, region, series };
}

/**
 * Applies an insertion, deletion or move of rows or columns of sub-sheet `sheet` to the pivot tables. `shown` returns
 * the output range of a pivot table before the edit; a table whose output is deleted completely is removed. Fields
 * whose source column leaves the source range are dropped.
 */
export function shiftPivots(
  pivots: readonly PivotTable[],
  sheet: string,
  edit: StructuralEdit,
  shown: (id: string) => Rect | undefined,
): PivotTable[] {
  return pivots.flatMap((pivot) => {
    let next = pivot;
    if (pivot.sheet === sheet) {
      const output = shown(pivot.id) ?? { top: pivot.row, left: pivot.col, bottom: pivot.row, right: pivot.col };
      if (!shiftRect(output, edit)) return [];
      const { change } = edit;
      const to =
        mapCell(edit, pivot.row, pivot.col) ??
        (edit.axis === 'row' ? { row: startOf(change), col: pivot.col } : { row: pivot.row, col: startOf(change) });
      next = { ...next, row: Math.min(to.row, maxRows - 1), col: Math.min(to.col, maxCols - 1) };
    }
    if (pivot.sourceSheet === sheet && pivot.source) next = shiftSource(next, pivot.source, edit);
    return [next];
  });
}

function startOf(change: AxisChange): number {
  return change.kind === 'move' ? change.from : change.at;
}

function shiftSource(pivot: PivotTable, source: Region, edit: StructuralEdit): PivotTable {
  const before = rectOf(source);
  const rect = shiftRect(before, edit);
  if (!rect) return { ...pivot, source: null };
  if (edit.axis === 'row' || rect === before) return { ...pivot, source: regionOf(rect) };
  const field = (one: number): number | undefined => {
    const col = mapPosition(edit.change, before.left + one);
    return col === undefined || col < rect.left || col > rect.right ? undefined : col - rect.left;
  };
  const fields = <T extends { readonly field: number }>(list: readonly T[]): T[] =>
    list.flatMap((one) => {
      const to = field(one.field);
      return to === undefined ? [] : [{ ...one, field: to }];
    });
  return {
    ...pivot,
    source: regionOf(rect),
    rowGroups: pivot.rowGroups.flatMap((one) => field(one) ?? []),
    columnGroups: pivot.columnGroups.flatMap((one) => field(one) ?? []),
    values: fields(pivot.values),
    filters: fields(pivot.filters),
  };
}
