import type { EChartsOption } from 'echarts';
import { format } from '@sheaf/engine';
import type { ResolvedOptions } from './chart-options.ts';

type Axis = ResolvedOptions['xAxis'];

/**
 * Default series colors. They are visible on white and on black, and distinguishable with red-green color blindness.
 */
const palette = ['#3b7f63', '#d9a441', '#5b8bbd', '#c4674f', '#8a79ad', '#7fa650', '#4f9aa0', '#b0789a'];

const titleHeight = 36;
const titleLine = 22;
const digitWidth = 7;
/** Matches CJK characters, which are counted as two letters wide. */
const wideCharacters = /[\u1100-\u11ff\u2e80-\uffef]/gu;

function textWidth(text: string): number {
  return (text.length + (text.match(wideCharacters)?.length ?? 0)) * digitWidth;
}

/** Returns the title's height in pixels; a long title wraps onto more lines. */
export function titleHeightOf({ title, width }: SizedOptions): number {
  if (!title.visible || title.text === '') return 0;
  return titleHeight + (Math.ceil((textWidth(title.text) * 1.25) / (width - 32)) - 1) * titleLine;
}

/** Chart options plus the width of the drawn chart in pixels. */
export type SizedOptions = ResolvedOptions & { readonly width: number };

/** Estimates the width in pixels of an axis's widest number label. */
function labelWidth(axis: Axis, values: readonly (number | null)[]): number {
  const known = values.filter((one) => one !== null);
  const ends = [
    axis.min ?? known.reduce((least, one) => Math.min(least, one), 0),
    axis.max ?? known.reduce((most, one) => Math.max(most, one), 0),
  ];
  const written = (value: number): string =>
    axis.numberFormat === '' ? Number(value.toPrecision(4)).toLocaleString('en-US') : format(value, axis.numberFormat);
  return Math.max(...ends.map((value) => textWidth(written(value))));
}
export const legendHeight = 34;

export function titleAndLegend(options: SizedOptions, names: readonly string[]): EChartsOption {
  const { title, legend } = options;
  const place = {
    top: { top: titleHeightOf(options) || 6, left: 'center' },
    bottom: { bottom: 4, left: 'center' },
    left: { left: 6, top: 'middle' },
    right: { right: 6, top: 'middle' },
  }[legend.position];
  const isUpright = legend.position === 'left' || legend.position === 'right';
  return {
    animation: false,
    color: palette,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: 'sans-serif' },
    title: {
      show: title.visible && title.text !== '',
      text: title.text,
      left: 'center',
      top: 8,
      textStyle: { fontSize: 16, width: options.width - 32, overflow: 'break' },
    },
    legend: {
      show: legend.visible && names.length > 0,
      type: 'scroll',
      data: [...new Set(names)],
      orient: isUpright ? 'vertical' : 'horizontal',
      ...place,
    },
  };
}

export function plotGrid(options: SizedOptions): EChartsOption {
  const { legend } = options;
  const at = (side: string): number => (legend.visible && legend.position === side ? 1 : 0);
  return {
    grid: {
      containLabel: true,
      top: 16 + titleHeightOf(options) + at('top') * legendHeight + (options.yAxis.title ? 14 : 0),
      bottom: 14 + at('bottom') * legendHeight + (options.xAxis.title ? 22 : 0),
      left: 16 + at('left') * 100 + (options.yAxis.title ? 18 : 0),
      right: 20 + at('right') * 100 + (options.secondaryYAxis.title ? 18 : 0),
    },
  };
}

function axisBase(axis: Axis, along: 'x' | 'y', reach: number) {
  const { title, visible, gridLines, numberFormat } = axis;
  return {
    show: visible,
    name: title,
    nameLocation: 'middle' as const,
    // Keep the axis title clear of the number labels, which may be wide.
    nameGap: along === 'x' ? 28 : Math.max(40, reach + 16),
    splitLine: { show: gridLines },
    axisLabel:
      numberFormat === ''
        ? {}
        : { formatter: (value: number | string) => (typeof value === 'number' ? format(value, numberFormat) : value) },
  };
}

export function valueAxis(axis: Axis, along: 'x' | 'y', values: readonly (number | null)[] = []) {
  return {
    type: 'value' as const,
    ...axisBase(axis, along, labelWidth(axis, values)),
    ...(axis.min === null ? {} : { min: axis.min }),
    ...(axis.max === null ? {} : { max: axis.max }),
    scale: false,
  };
}

const maxLabelWidth = 160;

export function categoryAxis(axis: Axis, along: 'x' | 'y', data: readonly string[]) {
  const longest = Math.min(maxLabelWidth, Math.max(0, ...data.slice(0, 1000).map(textWidth)));
  return {
    type: 'category' as const,
    ...axisBase(axis, along, longest),
    axisLabel: { hideOverlap: true, ...(along === 'y' ? { width: maxLabelWidth, overflow: 'break' as const } : {}) },
    data: [...data],
  };
}
