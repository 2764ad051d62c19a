import type { Chart, SheetDocument, SubSheet } from '../engine/document.ts';
import { chartData } from './data.ts';
import { fullOptions } from './options.ts';
import type { Drawing } from './render.ts';

/** What a chart is drawn from: hidden rows and columns are left out. */
export function drawnFrom(
  document: SheetDocument,
  sub: SubSheet,
  chart: Chart,
): Pick<Drawing, 'data' | 'options' | 'type'> {
  const data = chartData(document, sub, chart, 'left out');
  return { data, options: fullOptions(chart, data), type: chart.type };
}
