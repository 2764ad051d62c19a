import type { SheetDocument, Chart, ChartSeries, Region, SubSheet } from '@sheaf/engine/internal/document';
import { charge, isDatePattern } from '@sheaf/engine';

/** A chart's categories and series, as read from the sheet's cells. */
export interface ChartData {
  readonly categories: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
    /**
     * Index of this series among all series of the chart, including hidden ones. It is set only if hidden series before
     * this one were left out.
     */
    readonly place?: number;
  }[];
  /**
   * Layout of the data: whether each series is a column (otherwise a row), and whether the first row and the first
   * column hold headers instead of values.
   */
  readonly columnSeries: boolean;
  readonly headerRow: boolean;
  readonly categoryColumn: boolean;
}

const maxPoints = 20_000;
/** Maximum number of series in one chart; Excel has the same limit. */
export const maxSeries = 255;
/**
 * Maximum number of values (series times points) of one chart. `rendered` applies to drawing, so that a drawing takes
 * at most about a second. `returned` applies to API responses that contain the values as data.
 */
export const maxValues = { rendered: 20_000, returned: 200_000 };

/**
 * Returns upper bounds for the numbers of series and points of a chart, so that callers can refuse a chart that is too
 * large before its cells are read. Header cells are counted too, because they cannot be distinguished from data without
 * reading the cells.
 */
export function chartSize(document: SheetDocument, home: SubSheet, chart: Chart): { series: number; points: number } {
  const sub = chartDataSheet(document, home, chart);
  if (chart.series) {
    const points = chart.series.map(({ values }) => (values ? cellsIn(sub, values) : 0));
    return { series: points.length, points: Math.min(Math.max(0, ...points), maxPoints) };
  }
  if (!chart.region) return { series: 0, points: 0 };
  const [top, left, lastRow, lastCol] = chart.region;
  const rows = Math.min(lastRow, Math.max(top, sub.sheet.lastRow)) - top + 1;
  const cols = Math.min(lastCol, Math.max(left, sub.sheet.lastCol)) - left + 1;
  const columnSeries = isColumnSeries(chart);
  return columnSeries
    ? { series: cols, points: Math.min(rows, maxPoints) }
    : { series: rows, points: Math.min(cols, maxPoints) };
}

/**
 * Returns whether each column is a series. If the chart does not configure this, columns are series when the region has
 * at least as many rows as columns, or when there is no region.
 */
export function isColumnSeries({ columnSeries, region }: Pick<Chart, 'columnSeries' | 'region'>): boolean {
  return columnSeries ?? (!region || region[2] - region[0] >= region[3] - region[1]);
}

/**
 * Reads a chart's categories and series from its cells. Cells in hidden rows and columns are included if `hidden` is
 * 'told' and skipped if it is 'left out'. Unless the chart configures them, headers are detected from the cells, and
 * the direction of the series follows from the shape of the range.
 */
export function readChartData(
  document: SheetDocument,
  home: SubSheet,
  chart: Chart,
  hidden: 'told' | 'left out' = 'told',
): ChartData {
  const none = { categories: [], series: [], columnSeries: true, headerRow: false, categoryColumn: false };
  const sub = chartDataSheet(document, home, chart);
  if (chart.series) return { ...none, ...seriesData(document, sub, chart.series, hidden) };
  if (!chart.region) return none;
  const [top, left, lastRow, lastCol] = chart.region;
  const bottom = Math.min(lastRow, Math.max(top, sub.sheet.lastRow));
  const right = Math.min(lastCol, Math.max(left, sub.sheet.lastCol));
  const columnSeries = isColumnSeries(chart);
  // A lane is the row or column that holds one series; points are the cells along a lane.
  const points = columnSeries ? bottom - top + 1 : right - left + 1;
  const lanes = columnSeries ? right - left + 1 : bottom - top + 1;
  const at = (point: number, lane: number): { row: number; col: number } =>
    columnSeries ? { row: top + point, col: left + lane } : { row: top + lane, col: left + point };
  const isNumber = (point: number, lane: number): boolean => {
    const { row, col } = at(point, lane);
    return typeof document.value(sub, row, col) === 'number' && !isDatePattern(document.numberFormat(sub, row, col));
  };
  const names = columnSeries ? chart.headerRow : chart.categoryColumn;
  const labels = columnSeries ? chart.categoryColumn : chart.headerRow;
  const hasNames = names ?? (points > 1 && !range(labels === true ? 1 : 0, lanes).some((lane) => isNumber(0, lane)));
  const firstPoint = hasNames ? 1 : 0;
  const hasLabels =
    labels ?? (lanes > 1 && !range(firstPoint, Math.min(points, firstPoint + 20)).some((point) => isNumber(point, 0)));
  const firstLane = hasLabels ? 1 : 0;
  const end = Math.min(points, firstPoint + maxPoints);
  // With `hidden` set to 'left out', only hidden data rows and data columns are skipped. A hidden header row or label
  // column still provides the names and labels.
  const isHidden = (row: number, col: number): boolean =>
    hidden === 'left out' && (row < 0 ? sub.hiddenCols.get(col) !== 0 : sub.isRowHidden(row));
  const shownPoints = range(firstPoint, end).filter((i) =>
    columnSeries ? !isHidden(top + i, -1) : !isHidden(-1, left + i),
  );
  const shownLanes = range(firstLane, lanes).filter((i) =>
    columnSeries ? !isHidden(-1, left + i) : !isHidden(top + i, -1),
  );
  const text = (point: number, lane: number): string => {
    const { row, col } = at(point, lane);
    return document.text(sub, row, col);
  };
  return {
    categories: shownPoints.map((point) => (hasLabels ? text(point, 0) : String(point - firstPoint + 1))),
    series: shownLanes.map((lane, index) => ({
      ...(lane - firstLane === index ? {} : { place: lane - firstLane }),
      name: hasNames ? text(0, lane) || `Series ${lane - firstLane + 1}` : `Series ${lane - firstLane + 1}`,
      values: shownPoints.map((point) => {
        charge(1);
        const { row, col } = at(point, lane);
        const value = document.value(sub, row, col);
        return typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null;
      }),
    })),
    columnSeries,
    headerRow: columnSeries ? hasNames : hasLabels,
    categoryColumn: columnSeries ? hasLabels : hasNames,
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/**
 * Returns the sub-sheet (tab of the document) that holds the chart's data: the sub-sheet `dataSheet` if it is set and
 * exists, else the chart's own sub-sheet `home`.
 */
export function chartDataSheet(document: SheetDocument, home: SubSheet, { dataSheet }: Chart): SubSheet {
  return (dataSheet === undefined ? undefined : document.find(dataSheet)) ?? home;
}

/**
 * Returns the number of cells in a one-row or one-column range. Cells past the last used row or column of the sub-sheet
 * are not counted.
 */
function cellsIn(sub: SubSheet, [top, left, bottom, right]: Region): number {
  const down = Math.min(bottom, Math.max(top, sub.sheet.lastRow)) - top + 1;
  const across = Math.min(right, Math.max(left, sub.sheet.lastCol)) - left + 1;
  return bottom > top ? down : across;
}

/**
 * Reads the data of a chart that lists its series explicitly. The categories are the labels of the first series that
 * has any, or the numbers from 1 if no series has labels.
 */
function seriesData(
  document: SheetDocument,
  sub: SubSheet,
  list: readonly ChartSeries[],
  hidden: 'told' | 'left out',
): Pick<ChartData, 'categories' | 'series'> {
  const cell = ([top, left, bottom]: Region, i: number): [row: number, col: number] =>
    bottom > top ? [top + i, left] : [top, left + i];
  const count = Math.min(maxPoints, Math.max(0, ...list.map(({ values }) => (values ? cellsIn(sub, values) : 0))));
  const labels = list.find((one) => one.labels)?.labels;
  const [lead] = list;
  const isShown = (i: number): boolean => {
    if (hidden === 'told' || !lead?.values) return true;
    const [row, col] = cell(lead.values, i);
    return lead.values[2] > lead.values[0] ? !sub.isRowHidden(row) : sub.hiddenCols.get(col) === 0;
  };
  const shown = range(0, count).filter(isShown);
  const labeled = labels ? Math.min(count, cellsIn(sub, labels)) : 0;
  return {
    categories: shown.map((i) => (labels && i < labeled ? document.text(sub, ...cell(labels, i)) : String(i + 1))),
    series: list.map(({ name, values }, index) => ({
      name:
        (typeof name === 'string' ? name : name ? document.text(sub, name[0], name[1]) : '') || `Series ${index + 1}`,
      values: (values ? shown.slice(0, countBelow(shown, cellsIn(sub, values))) : []).map((i) => {
        charge(1);
        const value = document.value(sub, ...cell(values!, i));
        return typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null;
      }),
    })),
  };
}

function countBelow(sorted: readonly number[], limit: number): number {
  const at = sorted.findIndex((one) => one >= limit);
  return at < 0 ? sorted.length : at;
}
