import type { SheetDocument, Chart, SubSheet } from '../engine/document.ts';
import { charge, isDatePattern } from '../engine/index.ts';

/** A chart's data as read from its cells, whatever the chart's type. */
export interface ChartData {
  readonly categories: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** How the cells were read: as told, or as found out. */
  readonly columnSeries: boolean;
  readonly headerRow: boolean;
  readonly categoryColumn: boolean;
}

const maxPoints = 20_000;
/** As many series as Excel draws. */
export const maxSeries = 255;
/** As many values as a picture can show and is drawn with in about a second; told as data they may be more. */
export const mostValues = { drawn: 20_000, told: 200_000 };

/** Series and points that a chart's region has at most, headings included, without reading them. */
export function sizeOfChart(sub: SubSheet, chart: Chart): { series: number; points: number } {
  if (!chart.region) return { series: 0, points: 0 };
  const [top, left, lastRow, lastCol] = chart.region;
  const rows = Math.min(lastRow, Math.max(top, sub.sheet.lastRow)) - top + 1;
  const cols = Math.min(lastCol, Math.max(left, sub.sheet.lastCol)) - left + 1;
  const columnSeries = chart.columnSeries ?? lastRow - top >= lastCol - left;
  return columnSeries
    ? { series: cols, points: Math.min(rows, maxPoints) }
    : { series: rows, points: Math.min(cols, maxPoints) };
}

/** Reads the cells of a chart; what it is not told about headings and direction it finds out from them. */
export function chartData(document: SheetDocument, sub: SubSheet, chart: Chart): ChartData {
  const none = { categories: [], series: [], columnSeries: true, headerRow: false, categoryColumn: false };
  if (!chart.region) return none;
  const [top, left, lastRow, lastCol] = chart.region;
  const bottom = Math.min(lastRow, Math.max(top, sub.sheet.lastRow));
  const right = Math.min(lastCol, Math.max(left, sub.sheet.lastCol));
  const columnSeries = chart.columnSeries ?? lastRow - top >= lastCol - left;
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
  const text = (point: number, lane: number): string => {
    const { row, col } = at(point, lane);
    return document.text(sub, row, col);
  };
  return {
    categories: range(firstPoint, end).map((point) => (hasLabels ? text(point, 0) : String(point - firstPoint + 1))),
    series: range(firstLane, lanes).map((lane) => ({
      name: hasNames ? text(0, lane) || `Series ${lane - firstLane + 1}` : `Series ${lane - firstLane + 1}`,
      values: range(firstPoint, end).map((point) => {
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
