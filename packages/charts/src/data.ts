import type { SheetDocument, Chart, ChartSeries, Region, SubSheet } from '@sheaf/engine/internal/document';
import { charge, isDatePattern } from '@sheaf/engine';

/** A chart's data as read from its cells, whatever the chart's type. */
export interface ChartData {
  readonly categories: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
    /** Which of the chart's series it is, where some are left out. */
    readonly place?: number;
  }[];
  /** How the cells were read: as told, or as found out. */
  readonly columnSeries: boolean;
  readonly headerRow: boolean;
  readonly categoryColumn: boolean;
}

const maxPoints = 20_000;
/** As many series as Excel draws. */
export const maxSeries = 255;
/** As many values as a picture can show and is drawn with in about a second; told as data they may be more. */
export const maxValues = { drawn: 20_000, told: 200_000 };

/** Series and points that a chart's region has at most, headings included, without reading them. */
export function sizeOfChart(document: SheetDocument, home: SubSheet, chart: Chart): { series: number; points: number } {
  const sub = dataSheetOf(document, home, chart);
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

/** Whether each column is a series: as told, else by which way the region is longer. */
export function isColumnSeries({ columnSeries, region }: Pick<Chart, 'columnSeries' | 'region'>): boolean {
  return columnSeries ?? (!region || region[2] - region[0] >= region[3] - region[1]);
}

/**
 * Reads the cells of a chart, all of them or without hidden rows and columns, as charts are drawn. What  it is not told
 * about headings and direction it finds out from them.
 */
export function chartData(
  document: SheetDocument,
  home: SubSheet,
  chart: Chart,
  hidden: 'told' | 'left out' = 'told',
): ChartData {
  const none = { categories: [], series: [], columnSeries: true, headerRow: false, categoryColumn: false };
  const sub = dataSheetOf(document, home, chart);
  if (chart.series) return { ...none, ...seriesData(document, sub, chart.series, hidden) };
  if (!chart.region) return none;
  const [top, left, lastRow, lastCol] = chart.region;
  const bottom = Math.min(lastRow, Math.max(top, sub.sheet.lastRow));
  const right = Math.min(lastCol, Math.max(left, sub.sheet.lastCol));
  const columnSeries = isColumnSeries(chart);
  // Seen along the series: `along` counts points, `beside` counts series.
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
  // A hidden column that holds the labels hides no point, nor a hidden heading its series.
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

/** The sub-sheet that holds what a chart draws. */
export function dataSheetOf(document: SheetDocument, home: SubSheet, { dataSheet }: Chart): SubSheet {
  return (dataSheet === undefined ? undefined : document.find(dataSheet)) ?? home;
}

/** Cells that a row or column of the chart has at most, blank ones at the end of the sub-sheet left out. */
function cellsIn(sub: SubSheet, [top, left, bottom, right]: Region): number {
  const down = Math.min(bottom, Math.max(top, sub.sheet.lastRow)) - top + 1;
  const across = Math.min(right, Math.max(left, sub.sheet.lastCol)) - left + 1;
  return bottom > top ? down : across;
}

/** A chart that tells each series apart: the labels are those of the first that has any. */
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
