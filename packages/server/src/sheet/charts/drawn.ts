import type { Chart, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { chartData } from '@sheaf/charts/data';
import { fullOptions } from '@sheaf/charts/options';
import type { Drawing } from './render.ts';

/** The data and options to draw a chart from; hidden rows and columns are left out. */
export function drawnFrom(
  document: SheetDocument,
  sub: SubSheet,
  chart: Chart,
): Pick<Drawing, 'data' | 'options' | 'type'> {
  const data = chartData(document, sub, chart, 'left out');
  return { data, options: fullOptions(chart, data), type: chart.type };
}
