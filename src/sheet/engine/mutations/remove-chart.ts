import type { Chart } from '../document/objects/objects.ts';
import { needIndex } from './lists.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { putChart } from './put-chart.ts';

export interface RemoveChart {
  readonly sheet: string;
  readonly id: string;
}

export const removeChart: MutationKind<RemoveChart> = defineMutation(29, 'remove_chart', (document, { sheet, id }) => {
  const sub = document.subSheet(sheet);
  const at = needIndex(sub.charts, id, 'chart');
  const chart = sub.charts[at] as Chart;
  sub.charts = sub.charts.toSpliced(at, 1);
  return [putChart.of({ sheet, chart, at })];
});
