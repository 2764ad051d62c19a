import { type SheetDocument, type Anchor, type Chart, regionOf, type SubSheet } from '../engine/document.ts';
import { parseRect, type Rect } from '../engine/index.ts';
import type { ChartOptions } from '../charts/options.ts';
import type { ChartType } from '../charts/types.ts';
import { eachElement } from './read-xml.ts';

interface FoundSeries {
  name: string | undefined;
  labels: string | undefined;
  values: string | undefined;
  sizes: string | undefined;
  kind: 'line' | 'column' | 'area' | 'bar';
  group: number;
}

interface FoundGroup {
  tag: string;
  grouping: string;
  direction: string;
  axis: string;
}

export interface FoundChart {
  readonly sheet: SubSheet;
  readonly chart: Chart;
}

const seriesKinds: Readonly<Record<string, FoundSeries['kind']>> = {
  barChart: 'column',
  bar3DChart: 'column',
  areaChart: 'area',
  area3DChart: 'area',
};

/** A chart of a file; undefined when it is of a kind, or from cells, that documents cannot show. */
export function readChart(
  xml: string,
  part: string,
  document: SheetDocument,
  home: SubSheet,
  id: string,
  anchor: Anchor,
): FoundChart | undefined {
  const groups: FoundGroup[] = [];
  const series: FoundSeries[] = [];
  let title = '';
  let legend: { visible: boolean; position?: 'top' | 'bottom' | 'left' | 'right' } = { visible: false };
  eachElement(xml, part, {
    open({ name, attributes, path }) {
      const value = attributes.get('val') ?? '';
      if (path.at(-1) === 'plotArea' && name.endsWith('Chart'))
        groups.push({ tag: name, grouping: '', direction: '', axis: '' });
      const group = groups.at(-1);
      if (name === 'legendPos')
        legend = {
          visible: true,
          position: ({ t: 'top', b: 'bottom', l: 'left', r: 'right' } as const)[value] ?? 'bottom',
        };
      if (!group) return;
      if (name === 'grouping') group.grouping = value;
      else if (name === 'barDir') group.direction = value;
      else if (name === 'axId' && path.at(-1) === group.tag) group.axis ||= value;
      else if (name === 'ser' && path.at(-1) === group.tag)
        series.push({
          name: undefined,
          labels: undefined,
          values: undefined,
          sizes: undefined,
          kind: seriesKinds[group.tag] ?? 'line',
          group: groups.length - 1,
        });
    },
    close(name, text, path) {
      if (name === 't' && path.includes('title') && !path.includes('plotArea')) title += text;
      const last = series.at(-1);
      if (name !== 'f' || !last) return;
      if (path.includes('tx')) last.name ??= text;
      else if (path.includes('cat') || path.includes('xVal')) last.labels ??= text;
      else if (path.includes('val') || path.includes('yVal')) last.values ??= text;
      else if (path.includes('bubbleSize')) last.sizes ??= text;
    },
  });
  const type = typeOf(groups);
  if (!type || series.length === 0) return undefined;
  const cells = cellsOf(document, home, series);
  if (!cells) return undefined;
  const options: ChartOptions = { legend };
  if (type === 'CHART_CUSTOM_COMBO') {
    const first = groups[0]?.axis;
    options.series = series.map((one) => ({
      type: one.kind,
      axis: groups[one.group]?.axis === first ? 'primary' : 'secondary',
    }));
  }
  return {
    sheet: cells.sheet,
    chart: {
      id,
      type,
      title: title.slice(0, 500),
      region: regionOf(cells.rect),
      anchor,
      columnSeries: cells.columnSeries,
      headerRow: cells.headerRow,
      categoryColumn: cells.categoryColumn,
      options,
    },
  };
}

function typeOf(groups: readonly FoundGroup[]): ChartType | undefined {
  const [group, other] = groups;
  if (!group) return undefined;
  if (other) return 'CHART_CUSTOM_COMBO';
  const { grouping } = group;
  switch (group.tag) {
    case 'areaChart':
      return grouping === 'stacked'
        ? 'CHART_STACKED_AREA'
        : grouping === 'percentStacked'
          ? 'CHART_PERCENT_STACKED_AREA'
          : 'CHART_AREA';
    case 'area3DChart':
      return 'CHART_AREA_3D';
    case 'lineChart':
      return grouping === 'stacked' || grouping === 'percentStacked' ? 'CHART_STACKED_LINE' : 'CHART_LINE';
    case 'line3DChart':
      return 'CHART_LINE_3D';
    case 'stockChart':
      return 'CHART_HIGH_LOW_CLOSE_STOCK';
    case 'radarChart':
      return 'CHART_RADAR';
    case 'scatterChart':
      return 'CHART_SCATTER';
    case 'bubbleChart':
      return 'CHART_BUBBLE';
    case 'pieChart':
    case 'pie3DChart':
    case 'doughnutChart':
    case 'ofPieChart':
      return 'CHART_PIE';
    case 'barChart':
    case 'bar3DChart':
      return group.direction === 'bar' ? 'CHART_CLUSTERED_BAR' : 'CHART_CLUSTERED_COLUMN';
    default:
      return undefined;
  }
}

interface Cells {
  readonly sheet: SubSheet;
  readonly rect: Rect;
  readonly columnSeries: boolean;
  readonly headerRow: boolean;
  readonly categoryColumn: boolean;
}

/** The rectangle that holds everything the chart names; it must lie on one sub-sheet. */
function cellsOf(document: SheetDocument, home: SubSheet, series: readonly FoundSeries[]): Cells | undefined {
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
    rect = rect
      ? {
          top: Math.min(rect.top, found.top),
          left: Math.min(rect.left, found.left),
          bottom: Math.max(rect.bottom, found.bottom),
          right: Math.max(rect.right, found.right),
        }
      : found;
    return found;
  };
  const values = series.map((one) => {
    take(one.name);
    take(one.labels);
    take(one.sizes);
    return take(one.values);
  });
  if (!isOne || !sheet || !rect) return undefined;
  const [first, second] = values;
  const columnSeries =
    first && second ? first.left !== second.left : !first || first.bottom > first.top || first.left === first.right;
  const hasNames = series.some((one) => one.name !== undefined);
  const hasLabels = series.some((one) => one.labels !== undefined);
  return {
    sheet,
    rect,
    columnSeries,
    headerRow: columnSeries ? hasNames : hasLabels,
    categoryColumn: columnSeries ? hasLabels : hasNames,
  };
}
