import {
  type SheetDocument,
  type Anchor,
  type Chart,
  type ChartSeries,
  regionOf,
  sameRect,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { parseRect, type Rect } from '@sheaf/engine';
import type { ChartOptions } from '@sheaf/charts/chart-options';
import type { ChartType } from '@sheaf/charts/chart-types';
import { AxisCollector } from './read-chart-axes.ts';
import { eachElement } from '../containers/package-parts.ts';

/**
 * A chart that cannot be drawn and is stored unchanged for export. `kind` is its type. `cells` lists its data ranges if
 * they are the reason; otherwise the type is the reason.
 */
export interface UnsupportedChart {
  readonly kind: string;
  readonly cells?: string;
}

export interface ParsedSeries {
  name: string | undefined;
  /** Literal series name; undefined if the name is in a cell. */
  text: string | undefined;
  order: number;
  labels: string | undefined;
  values: string | undefined;
  sizes: string | undefined;
  kind: 'line' | 'column' | 'area' | 'bar';
  group: number;
}

interface ParsedChartGroup {
  tag: string;
  grouping: string;
  direction: string;
  axis: string;
}

const seriesKinds: Readonly<Record<string, ParsedSeries['kind']>> = {
  barChart: 'column',
  bar3DChart: 'column',
  areaChart: 'area',
  area3DChart: 'area',
};

/** Reads the XML of a chart. Returns the chart, or an `UnsupportedChart` with the reason why it cannot be drawn. */
export function readChart(
  xml: string,
  part: string,
  document: SheetDocument,
  home: SubSheet,
  id: string,
  anchor: Anchor,
): Chart | UnsupportedChart {
  const groups: ParsedChartGroup[] = [];
  const series: ParsedSeries[] = [];
  const axes = new AxisCollector();
  let title = '';
  let hasTitle = false;
  let legend: { visible: boolean; position?: 'top' | 'bottom' | 'left' | 'right' } = { visible: false };
  eachElement(xml, part, {
    open({ name, attributes, path }) {
      const value = attributes.get('val') ?? '';
      if (name === 'title' && path.at(-1) === 'chart') hasTitle = true;
      if (path.at(-1) === 'plotArea' && name.endsWith('Chart'))
        groups.push({ tag: name, grouping: '', direction: '', axis: '' });
      const group = groups.at(-1);
      if (name === 'legendPos')
        legend = {
          visible: true,
          position: ({ t: 'top', b: 'bottom', l: 'left', r: 'right' } as const)[value] ?? 'bottom',
        };
      if (!group) return;
      axes.open(name, attributes, path);
      if (name === 'grouping') group.grouping = value;
      else if (name === 'barDir') group.direction = value;
      else if (name === 'axId' && path.at(-1) === group.tag) group.axis ||= value;
      else if (name === 'ser' && path.at(-1) === group.tag)
        series.push({
          name: undefined,
          text: undefined,
          order: series.length,
          labels: undefined,
          values: undefined,
          sizes: undefined,
          kind: seriesKinds[group.tag] ?? 'line',
          group: groups.length - 1,
        });
      else if (name === 'order' && path.at(-1) === 'ser') series.at(-1)!.order = Number(value) || 0;
    },
    close(name, text, path) {
      // A title is either literal text or a cell reference with cached text.
      if ((name === 't' || (name === 'v' && path.includes('strCache'))) && path.includes('title')) {
        if (path.includes('plotArea')) axes.title(text);
        else title += text;
      }
      const last = series.at(-1);
      if (last && name === 'v' && path.at(-1) === 'tx' && path.at(-2) === 'ser') last.text = text.slice(0, 255);
      if (name !== 'f' || !last) return;
      // Axis titles and data labels linked to a cell contain a `tx` element too, but not directly inside the series.
      if (path.at(-2) === 'tx' && path.at(-3) === 'ser') last.name ??= text;
      else if (path.includes('cat') || path.includes('xVal')) last.labels ??= text;
      else if (path.includes('val') || path.includes('yVal')) last.values ??= text;
      else if (path.includes('bubbleSize')) last.sizes ??= text;
    },
  });
  const type = typeOf(groups);
  if (!type) return { kind: groups.map(({ tag }) => tag).join(', ') };
  series.sort((a, b) => a.order - b.order);
  const options: ChartOptions = { legend, ...axes.options(type) };
  if (type === 'CHART_CUSTOM_COMBO') {
    const first = groups[0]?.axis;
    options.series = series.map((one) => ({
      type: one.kind,
      axis: groups[one.group]?.axis === first ? 'primary' : 'secondary',
    }));
  }
  const chart = chartOf(document, home, series, { id, type, title, anchor, options });
  // If a chart with one series has an empty title, Excel displays the name of the series.
  return 'id' in chart && hasTitle && title === '' && series.length === 1
    ? { ...chart, title: nameOf(document, home, chart, series[0]!) }
    : chart;
}

function nameOf(document: SheetDocument, home: SubSheet, chart: Chart, { name, text }: ParsedSeries): string {
  if (name === undefined) return text ?? '';
  const cell = parseRect(name.slice(name.lastIndexOf('!') + 1).replaceAll('$', ''));
  const sheet = chart.dataSheet === undefined ? home : document.subSheet(chart.dataSheet);
  return cell ? document.text(sheet, cell.top, cell.left).slice(0, 500) : '';
}

/**
 * Builds a chart from its parsed series. Returns an `UnsupportedChart` instead if charts cannot use the cell ranges of
 * the series.
 */
export function chartOf(
  document: SheetDocument,
  home: SubSheet,
  series: readonly ParsedSeries[],
  { id, type, title, anchor, options }: Pick<Chart, 'id' | 'type' | 'title' | 'anchor' | 'options'>,
): Chart | UnsupportedChart {
  const cells = series.length === 0 ? undefined : cellsOf(document, home, series);
  if (!cells) return { kind: type, cells: series.map(({ values }) => values ?? 'no cells').join(', ') };
  return {
    id,
    type,
    title: title.slice(0, 500),
    region: regionOf(cells.rect),
    ...(cells.sheet === home ? {} : { dataSheet: cells.sheet.id }),
    ...(cells.series ? { series: cells.series } : {}),
    anchor,
    columnSeries: cells.columnSeries,
    headerRow: cells.headerRow,
    categoryColumn: cells.categoryColumn,
    options,
  };
}

/**
 * Chart types by OOXML chart element: plain, stacked, and stacked to 100 %. If an entry is missing, the plain type is
 * used.
 */
const typesByTag: Readonly<Record<string, readonly [ChartType, ChartType?, ChartType?]>> = {
  areaChart: ['CHART_AREA', 'CHART_STACKED_AREA', 'CHART_PERCENT_STACKED_AREA'],
  area3DChart: ['CHART_AREA_3D'],
  lineChart: ['CHART_LINE', 'CHART_STACKED_LINE', 'CHART_STACKED_LINE'],
  line3DChart: ['CHART_LINE_3D'],
  stockChart: ['CHART_HIGH_LOW_CLOSE_STOCK'],
  radarChart: ['CHART_RADAR'],
  scatterChart: ['CHART_SCATTER'],
  bubbleChart: ['CHART_BUBBLE'],
  doughnutChart: ['CHART_DOUGHNUT'],
  pieChart: ['CHART_PIE'],
  pie3DChart: ['CHART_PIE'],
  ofPieChart: ['CHART_PIE'],
  bars: ['CHART_CLUSTERED_BAR', 'CHART_STACKED_BAR', 'CHART_PERCENT_STACKED_BAR'],
  columns: ['CHART_CLUSTERED_COLUMN', 'CHART_STACKED_COLUMN', 'CHART_PERCENT_STACKED_COLUMN'],
};

function typeOf(groups: readonly ParsedChartGroup[]): ChartType | undefined {
  const [group, other] = groups;
  if (!group) return undefined;
  if (other) return 'CHART_CUSTOM_COMBO';
  const { tag, grouping, direction } = group;
  const key = tag === 'barChart' || tag === 'bar3DChart' ? (direction === 'bar' ? 'bars' : 'columns') : tag;
  const [plain, stacked, percent] = typesByTag[key] ?? [];
  return (grouping === 'stacked' ? stacked : grouping === 'percentStacked' ? percent : undefined) ?? plain;
}

interface Cells {
  readonly sheet: SubSheet;
  readonly rect: Rect;
  readonly columnSeries: boolean;
  readonly headerRow: boolean;
  readonly categoryColumn: boolean;
  /**
   * Set only if the series are not simply the rows or columns of `rect`, as described by `columnSeries`, `headerRow`
   * and `categoryColumn`.
   */
  readonly series?: readonly ChartSeries[];
}

/**
 * Returns the chart's ranges, or undefined unless all are on one sub-sheet and each series is a single row or column.
 */
function cellsOf(document: SheetDocument, home: SubSheet, series: readonly ParsedSeries[]): Cells | undefined {
  let sheet: SubSheet | undefined;
  let rect: Rect | undefined;
  let isOne = true;
  const take = (ref: string | undefined): Rect | undefined => {
    if (ref === undefined) return undefined;
    const split = ref.lastIndexOf('!');
    const name = ref
      .slice(0, Math.max(0, split))
      .replace(/^'([\s\S]*)'$/, '$1')
      .replaceAll("''", "'");
    const on = split < 0 ? home : document.byName(name);
    const found = parseRect(ref.slice(split + 1).replaceAll('$', ''));
    if (!on || !found || (sheet && sheet !== on)) {
      isOne = false;
      return undefined;
    }
    sheet = on;
    rect = rect ? boundingRect(rect, found) : found;
    return found;
  };
  const found = series.map((one) => ({
    name: take(one.name),
    text: one.text,
    labels: take(one.labels),
    values: take(one.values),
    sizes: take(one.sizes),
  }));
  const isLine = (one: Rect): boolean => one.top === one.bottom || one.left === one.right;
  if (!isOne || !sheet || !rect || found.some(({ values }) => !values || !isLine(values))) return undefined;
  const [first, second] = found;
  const columnSeries =
    first?.values && second?.values
      ? first.values.left !== second.values.left
      : !first?.values || first.values.bottom > first.values.top || first.values.left === first.values.right;
  const hasNames = found.some((one) => one.name !== undefined);
  const hasLabels = found.some((one) => one.labels !== undefined);
  const plain: Cells = {
    sheet,
    rect,
    columnSeries,
    headerRow: columnSeries ? hasNames : hasLabels,
    categoryColumn: columnSeries ? hasLabels : hasNames,
  };
  const isPlain = found.every((one, i) => isSeriesAt(plain, one, i, hasNames, hasLabels));
  if (isPlain && found.length === seriesCountIn(plain, hasLabels)) return plain;
  return {
    ...plain,
    series: found.map(({ name, text, labels, values, sizes }) => ({
      ...(name ? { name: regionOf({ ...name, bottom: name.top, right: name.left }) } : text ? { name: text } : {}),
      ...(labels && isLine(labels) ? { labels: regionOf(labels) } : {}),
      values: regionOf(values!),
      ...(sizes ? { sizes: regionOf(sizes) } : {}),
    })),
  };
}

function boundingRect(a: Rect, b: Rect): Rect {
  return {
    top: Math.min(a.top, b.top),
    left: Math.min(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.max(a.right, b.right),
  };
}

function seriesCountIn({ rect, columnSeries }: Cells, hasLabels: boolean): number {
  return (columnSeries ? rect.right - rect.left : rect.bottom - rect.top) + (hasLabels ? 0 : 1);
}

interface SeriesRanges {
  readonly name: Rect | undefined;
  readonly text: string | undefined;
  readonly labels: Rect | undefined;
  readonly values: Rect | undefined;
  readonly sizes: Rect | undefined;
}

/**
 * Returns whether the series is row or column number `index` of the rectangle, not counting that of the labels. With
 * `hasNames`, its name must be the first cell of that row or column; with `hasLabels`, its labels must be the first row
 * or column of the rectangle.
 */
function isSeriesAt(
  { rect, columnSeries }: Cells,
  { name, text, labels, values, sizes }: SeriesRanges,
  index: number,
  hasNames: boolean,
  hasLabels: boolean,
): boolean {
  const lane = index + (hasLabels ? 1 : 0);
  const from = hasNames ? 1 : 0;
  const line = (at: number, start: number): Rect =>
    columnSeries
      ? { top: rect.top + start, left: rect.left + at, bottom: rect.bottom, right: rect.left + at }
      : { top: rect.top + at, left: rect.left + start, bottom: rect.top + at, right: rect.right };
  const heading = columnSeries
    ? { top: rect.top, left: rect.left + lane, bottom: rect.top, right: rect.left + lane }
    : { top: rect.top + lane, left: rect.left, bottom: rect.top + lane, right: rect.left };
  return (
    sizes === undefined &&
    text === undefined &&
    values !== undefined &&
    sameRect(values, line(lane, from)) &&
    (hasNames ? name !== undefined && sameRect(name, heading) : name === undefined) &&
    (hasLabels ? labels !== undefined && sameRect(labels, line(0, from)) : labels === undefined)
  );
}
