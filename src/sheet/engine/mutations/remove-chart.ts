import type { Chart } from '../document/objects/objects.ts';
import { needIndex } from './lists.ts';
import { alwaysChanges, besideLater } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { putChart } from './put-chart.ts';

export interface RemoveChart {
  readonly sheet: string;
  readonly id: string;
}

export const removeChart: MutationKind<RemoveChart> = defineMutation({
  type: 29,
  name: 'remove_chart',
  scope: 'objects',
  touches: ({ sheet, id }) => [{ sheet, object: `chart ${id}` }],
  isNoOp: alwaysChanges,
  beside: besideLater,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = needIndex(sub.charts, id, 'chart');
    const chart = sub.charts[at] as Chart;
    sub.charts = sub.charts.toSpliced(at, 1);
    return [putChart.of({ sheet, chart, at })];
  },
});
