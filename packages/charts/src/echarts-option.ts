import type { EChartsOption, SeriesOption } from 'echarts';
import type { ChartData } from './chart-data.ts';
import {
  titleAndLegend,
  plotGrid,
  categoryAxis,
  legendHeight,
  valueAxis,
  titleHeightOf,
  type SizedOptions,
} from './chart-layout.ts';
import type { ResolvedOptions } from './chart-options.ts';

/**
 * Builds the configuration (`option`) with which the ECharts library draws a chart. The browser and the server use the
 * same function, so that charts look the same. Three-dimensional charts are drawn flat. A region map is drawn as a
 * table, highest value first, colored by value.
 */
export function chartOption(data: ChartData, given: ResolvedOptions, type: string, width = 480): EChartsOption {
  const options: SizedOptions = { ...given, width };
  switch (type) {
    case 'CHART_PIE':
    case 'CHART_DOUGHNUT':
      return {
        ...titleAndLegend(options, data.categories),
        series: pie(data, options, type === 'CHART_PIE' ? '60%' : ['35%', '60%']),
      };
    case 'CHART_RADAR':
      return radar(data, options);
    case 'CHART_SCATTER':
    case 'CHART_BUBBLE': {
      const isBubble = type === 'CHART_BUBBLE';
      return {
        ...titleAndLegend(options, pointNames(data, isBubble ? 2 : 1)),
        ...plotGrid(options),
        xAxis: valueAxis(options.xAxis, 'x'),
        yAxis: valueAxis(options.yAxis, 'y', allValues(data)),
        series: isBubble ? bubbles(data, options) : scatter(data, options),
      };
    }
    case 'CHART_TREEMAP':
      return { ...titleAndLegend(options, []), series: treemap(data, options) };
    case 'CHART_REGION_MAP':
      return rankedTable(data, options);
    case 'CHART_HIGH_LOW_CLOSE_STOCK':
      return data.series.length >= 3 ? stock(data, options) : lineSeries(data, options, type);
    default:
      return lineSeries(data, options, type);
  }
}

type SeriesOptions = ResolvedOptions['series'][number];

function allValues(data: ChartData): (number | null)[] {
  return data.series.flatMap(({ values }) => values);
}

function itemColor(look: SeriesOptions | undefined): { itemStyle?: { color: string } } {
  return look?.color ? { itemStyle: { color: `#${look.color.replace('#', '').slice(-6)}` } } : {};
}

function seriesName(data: ChartData, options: SizedOptions, index: number): string {
  return options.series[index]?.name ?? data.series[index]?.name ?? `Series ${index + 1}`;
}

/** Builds the ECharts configuration of line, area, bar, column and combination charts. */
function lineSeries(data: ChartData, options: SizedOptions, type: string): EChartsOption {
  const isStacked = type.includes('STACKED');
  const isPercent = type.includes('PERCENT_STACKED');
  const isSideways = type.endsWith('_BAR');
  const hasSecond = data.series.some((_, index) => options.series[index]?.axis === 'secondary') && !isSideways;
  const series = data.series.map((one, index): SeriesOption => {
    const look = options.series[index];
    const kind = look?.type ?? 'line';
    const values = isPercent ? percentages(data, index) : [...one.values];
    const shared = {
      name: seriesName(data, options, index),
      data: values,
      ...itemColor(look),
      label: { show: look?.dataLabels ?? false },
      ...(hasSecond && look?.axis === 'secondary' ? { yAxisIndex: 1 } : {}),
    };
    if (kind === 'column' || kind === 'bar') return { type: 'bar', ...shared, ...(isStacked ? { stack: 'all' } : {}) };
    return {
      type: 'line',
      ...shared,
      smooth: look?.smooth ?? false,
      ...(look?.color ? { lineStyle: { color: `#${look.color.replace('#', '').slice(-6)}` } } : {}),
      ...(kind === 'area' ? { areaStyle: { opacity: isStacked ? 0.7 : 0.4 } } : {}),
      ...(isStacked ? { stack: 'all' } : {}),
    };
  });
  const categories = categoryAxis(isSideways ? options.yAxis : options.xAxis, isSideways ? 'y' : 'x', data.categories);
  const plain = valueAxis(isSideways ? options.xAxis : options.yAxis, isSideways ? 'x' : 'y', allValues(data));
  const values = isPercent ? { ...plain, max: plain.max ?? 100, axisLabel: { formatter: '{value}%' } } : plain;
  const upright = hasSecond
    ? [
        values,
        {
          ...valueAxis({ ...options.secondaryYAxis, visible: true }, 'y', allValues(data)),
          position: 'right' as const,
        },
      ]
    : values;
  return {
    ...titleAndLegend(
      options,
      data.series.map((_, index) => seriesName(data, options, index)),
    ),
    ...plotGrid(options),
    xAxis: isSideways ? values : categories,
    yAxis: isSideways ? categories : upright,
    series,
  };
}

function percentages(data: ChartData, index: number): (number | null)[] {
  return (data.series[index]?.values ?? []).map((value, point) => {
    const total = data.series.reduce((sum, one) => sum + Math.abs(one.values[point] ?? 0), 0);
    return value === null ? null : total === 0 ? 0 : Number(((Math.abs(value) / total) * 100).toFixed(6));
  });
}

function pie(data: ChartData, options: SizedOptions, radius: string | [string, string]): SeriesOption[] {
  const [first] = data.series;
  if (!first) return [];
  const slices = data.categories.map((name, point) => ({ name, value: Math.max(0, first.values[point] ?? 0) }));
  return [
    {
      type: 'pie',
      name: seriesName(data, options, 0),
      radius,
      // Leave space for the title above the pie and for the legend below it. Of slice labels that overlap, some are
      // hidden.
      top: titleHeightOf(options) + 4,
      bottom: options.legend.visible && options.legend.position === 'bottom' ? legendHeight : 6,
      labelLayout: { hideOverlap: true },
      data: slices,
      label: { formatter: options.series[0]?.dataLabels ? '{b}: {c} ({d}%)' : '{b}' },
    },
  ];
}

function radar(data: ChartData, options: SizedOptions): EChartsOption {
  const all = data.series.flatMap((one) => one.values.filter((value) => value !== null));
  const most = all.reduce((max, value) => Math.max(max, value), 0) || 1;
  const least = all.reduce((min, value) => Math.min(min, value), 0);
  const top = options.yAxis.max ?? most;
  return {
    ...titleAndLegend(
      options,
      data.series.map((_, index) => seriesName(data, options, index)),
    ),
    radar: {
      center: ['50%', '54%'],
      radius: '60%',
      indicator: data.categories.map((name) => ({ name, max: top, min: options.yAxis.min ?? least })),
    },
    series: [
      {
        type: 'radar',
        data: data.series.map((one, index) => ({
          name: seriesName(data, options, index),
          value: one.values.map((value) => value ?? 0),
          ...itemColor(options.series[index]),
        })),
      },
    ],
  };
}

/**
 * Returns the x values of a scatter chart and the index of the first series to draw. The x values are the labels if all
 * are numbers, else the values of the first series (which is then not drawn), else the numbers from 1.
 */
function scatterAxis(data: ChartData): { xs: (number | null)[]; first: number } {
  const given =
    data.categoryColumn || (!data.columnSeries && data.headerRow)
      ? data.categories.map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
      : [];
  if (given.length > 0 && given.every(Number.isFinite)) return { xs: given, first: 0 };
  if (data.series.length > 1) return { xs: [...(data.series[0]?.values ?? [])], first: 1 };
  return { xs: data.categories.map((_, point) => point + 1), first: 0 };
}

function pointNames(data: ChartData, step: number): string[] {
  const { first } = scatterAxis(data);
  return data.series.filter((_, index) => index >= first && (index - first) % step === 0).map((one) => one.name);
}

function scatter(data: ChartData, options: SizedOptions): SeriesOption[] {
  const { xs, first } = scatterAxis(data);
  return data.series.slice(first).map((one, index) => ({
    type: 'scatter',
    name: seriesName(data, options, first + index),
    data: pointsOf(xs, one.values),
    label: { show: options.series[first + index]?.dataLabels ?? false },
    ...itemColor(options.series[first + index]),
  }));
}

function pointsOf(xs: readonly (number | null)[], ys: readonly (number | null)[]): [number, number][] {
  return ys.flatMap((y, point) => {
    const x = xs[point];
    return y === null || x === null || x === undefined ? [] : [[x, y] as [number, number]];
  });
}

const maxBubbleSize = 56;

/**
 * Builds bubble series from pairs of data series: the first of a pair holds the y values, the second the bubble areas.
 */
function bubbles(data: ChartData, options: SizedOptions): SeriesOption[] {
  const { xs, first } = scatterAxis(data);
  const sizes = data.series
    .filter((_, index) => index > first && (index - first) % 2 === 1)
    .flatMap((one) => one.values.map((value) => Math.abs(value ?? 0)));
  const most = sizes.reduce((max, value) => Math.max(max, value), 0) || 1;
  const made: SeriesOption[] = [];
  for (let index = first; index < data.series.length; index += 2) {
    const ys = data.series[index]?.values ?? [];
    const own = data.series[index + 1]?.values;
    const points = ys.flatMap((y, point) => {
      const x = xs[point];
      if (y === null || x === null || x === undefined) return [];
      const size = own ? Math.abs(own[point] ?? 0) : most;
      return [{ value: [x, y, size], symbolSize: Math.max(3, Math.sqrt(size / most) * maxBubbleSize) }];
    });
    made.push({
      type: 'scatter',
      name: seriesName(data, options, index),
      data: points,
      itemStyle: { opacity: 0.7, ...itemColor(options.series[index]).itemStyle },
      label: { show: options.series[index]?.dataLabels ?? false },
    });
  }
  return made;
}

/** Builds a stock chart. Three series are high, low and close; four are open, high, low and close. */
function stock(data: ChartData, options: SizedOptions): EChartsOption {
  const [open, high, low, close] = data.series.length >= 4 ? [0, 1, 2, 3] : [2, 0, 1, 2];
  const value = (series: number, point: number): number => data.series[series]?.values[point] ?? 0;
  const points = data.categories.map((_, point) => [
    value(open, point),
    value(close, point),
    value(low, point),
    value(high, point),
  ]);
  const plain = valueAxis(options.yAxis, 'y', allValues(data));
  return {
    ...titleAndLegend(options, []),
    ...plotGrid(options),
    xAxis: categoryAxis(options.xAxis, 'x', data.categories),
    yAxis: { ...plain, scale: true },
    series: [{ type: 'candlestick', name: options.title.text || seriesName(data, options, close), data: points }],
  };
}

function treemap(data: ChartData, options: SizedOptions): SeriesOption[] {
  const [first] = data.series;
  if (!first) return [];
  const tiles = data.categories.flatMap((name, point) =>
    (first.values[point] ?? 0) > 0 ? [{ name, value: first.values[point] as number }] : [],
  );
  return [
    {
      type: 'treemap',
      name: seriesName(data, options, 0),
      top: titleHeightOf(options) + 8,
      bottom: 8,
      left: 8,
      right: 8,
      roam: false,
      nodeClick: false,
      breadcrumb: { show: false },
      label: { show: true, formatter: '{b}' },
      data: tiles,
    },
  ];
}

const maxRegions = 100;

/**
 * Builds the table that stands in for a region map: one row per region, sorted by the first series in descending order.
 */
function rankedTable(data: ChartData, options: SizedOptions): EChartsOption {
  const order = data.categories
    .map((name, point) => ({ name, point, value: data.series[0]?.values[point] ?? null }))
    .sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || a.point - b.point)
    .slice(0, maxRegions);
  const cells = data.series.flatMap((one, column) =>
    order.flatMap(({ point }, row) =>
      one.values[point] === null || one.values[point] === undefined ? [] : [[column, row, one.values[point]]],
    ),
  );
  const values = cells.map((cell) => cell[2] as number);
  return {
    ...titleAndLegend({ ...options, legend: { ...options.legend, visible: false } }, []),
    grid: { containLabel: true, top: 16 + titleHeightOf(options), bottom: 12, left: 16, right: 20 },
    xAxis: {
      type: 'category',
      data: data.series.map((_, index) => seriesName(data, options, index)),
      axisTick: { show: false },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: order.map(({ name }, rank) => `${rank + 1}. ${name}`),
      axisTick: { show: false },
    },
    visualMap: {
      show: false,
      min: values.reduce((min, value) => Math.min(min, value), Infinity),
      max: values.reduce((max, value) => Math.max(max, value), -Infinity),
      inRange: { color: ['#e2efe7', '#2a6049'] },
    },
    series: [
      { type: 'heatmap', data: cells, label: { show: true }, itemStyle: { borderColor: '#ffffff', borderWidth: 1 } },
    ],
  };
}
