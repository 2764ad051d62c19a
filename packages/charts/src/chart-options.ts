import { z } from 'zod';
import type { Chart } from '@sheaf/engine/internal/document';
import type { ChartData } from './chart-data.ts';

const text = z.string().max(500);
/** Color: six or eight hexadecimal digits after an optional `#`. The empty string stands for the automatic color. */
const color = z.string().regex(/^(#?([0-9a-fA-F]{6}|[0-9a-fA-F]{8}))?$/, 'must be 6 or 8 hexadecimal digits');
const axis = z.strictObject({
  title: text.optional(),
  visible: z.boolean().optional(),
  min: z.number().nullable().optional(),
  max: z.number().nullable().optional(),
  gridLines: z.boolean().optional(),
  numberFormat: text.optional(),
});

/** Schema of the API field `options_json`: all settings of a chart except its type and its data. */
export const chartOptionsSchema = z.strictObject({
  title: z.strictObject({ text: text.optional(), visible: z.boolean().optional() }).optional(),
  legend: z
    .strictObject({ visible: z.boolean().optional(), position: z.enum(['top', 'bottom', 'left', 'right']).optional() })
    .optional(),
  xAxis: axis.optional(),
  yAxis: axis.optional(),
  secondaryYAxis: axis.optional(),
  series: z
    .array(
      z.strictObject({
        name: text.optional(),
        type: z.enum(['line', 'column', 'area', 'bar']).optional(),
        axis: z.enum(['primary', 'secondary']).optional(),
        color: color.optional(),
        smooth: z.boolean().optional(),
        dataLabels: z.boolean().optional(),
      }),
    )
    .max(1000)
    .optional(),
});

export type ChartOptions = z.output<typeof chartOptionsSchema>;

/**
 * Returns the options in `given` that differ from `told`, the options that the API has returned to the client, with all
 * defaults filled in. Clients may send all of them back. Only the changed ones may be stored, because a stored option
 * stays fixed, while default names and settings follow the data.
 */
export function changedOptions(told: ResolvedOptions, given: ChartOptions): ChartOptions {
  const differing = (one: object, known: object | undefined): object =>
    Object.fromEntries(
      Object.entries(one).filter(([key, value]) => (known as Record<string, unknown> | undefined)?.[key] !== value),
    );
  const fresh: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const known = told[key as keyof ResolvedOptions];
    if (Array.isArray(value))
      fresh[key] = value.map((one: object, index) => differing(one, (known as object[])[index]));
    else fresh[key] = differing(value as object, known);
  }
  return fresh as ChartOptions;
}

/** Merges `given` into `old`: objects key by key, lists of series by index. */
export function mergeOptions(old: ChartOptions, given: ChartOptions): ChartOptions {
  const merged: Record<string, unknown> = { ...old };
  for (const [key, value] of Object.entries(given)) {
    const before = merged[key];
    if (Array.isArray(value))
      merged[key] = value.map((one: object, index) => ({
        ...(Array.isArray(before) ? (before[index] as object | undefined) : undefined),
        ...one,
      }));
    else merged[key] = { ...(before as object | undefined), ...(value as object) };
  }
  return merged as ChartOptions;
}

export interface ResolvedOptions {
  title: { text: string; visible: boolean };
  legend: { visible: boolean; position: 'top' | 'bottom' | 'left' | 'right' };
  xAxis: ResolvedAxis;
  yAxis: ResolvedAxis;
  secondaryYAxis: ResolvedAxis;
  series: {
    name: string;
    type: 'line' | 'column' | 'area' | 'bar';
    axis: 'primary' | 'secondary';
    color: string;
    smooth: boolean;
    dataLabels: boolean;
  }[];
}

interface ResolvedAxis {
  title: string;
  visible: boolean;
  min: number | null;
  max: number | null;
  gridLines: boolean;
  numberFormat: string;
}

export function resolveOptions(chart: Chart, data: ChartData): ResolvedOptions {
  const given = chart.options as ChartOptions;
  const count = Math.max(data.series.length, (data.series.at(-1)?.place ?? -1) + 1);
  const axisOf = (one: ChartOptions['xAxis'], visible: boolean, gridLines: boolean): ResolvedAxis =>
    ({ title: '', visible, min: null, max: null, gridLines, numberFormat: '', ...one }) as ResolvedAxis;
  return {
    title: { text: chart.title, visible: chart.title !== '', ...given.title },
    legend: {
      visible: data.series.length > 1 || chart.type === 'CHART_PIE' || chart.type === 'CHART_DOUGHNUT',
      position: 'bottom',
      ...given.legend,
    },
    xAxis: axisOf(given.xAxis, true, false),
    yAxis: axisOf(given.yAxis, true, true),
    secondaryYAxis: axisOf(given.secondaryYAxis, given.series?.some((one) => one.axis === 'secondary') ?? false, false),
    series: data.series.map((one, index) => ({
      name: one.name,
      type: defaultSeries(chart.type, one.place ?? index, count),
      axis: 'primary' as const,
      color: '',
      smooth: false,
      dataLabels: false,
      ...given.series?.[one.place ?? index],
    })),
  };
}

function defaultSeries(type: string, index: number, count: number): 'line' | 'column' | 'area' | 'bar' {
  if (type.includes('AREA')) return 'area';
  if (type.endsWith('_BAR')) return 'bar';
  if (type.endsWith('_COLUMN')) return 'column';
  // By default a combination chart draws its last series as a line and the others as columns.
  if (type === 'CHART_CUSTOM_COMBO') return count > 1 && index === count - 1 ? 'line' : 'column';
  return 'line';
}
