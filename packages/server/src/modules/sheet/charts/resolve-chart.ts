import type { Chart, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { readChartData } from '@sheaf/charts/chart-data';
import { resolveOptions } from '@sheaf/charts/chart-options';
import type { ChartDrawing } from './render-chart.ts';

/** Returns the data and options of a chart for drawing. Hidden rows and columns are left out. */
export function resolveChart(
  document: SheetDocument,
  sub: SubSheet,
  chart: Chart,
): Pick<ChartDrawing, 'data' | 'options' | 'type'> {
  const data = readChartData(document, sub, chart, 'left out');
  return { data, options: resolveOptions(chart, data), type: chart.type };
}
