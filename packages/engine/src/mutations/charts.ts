import type { Chart } from '../document/objects/sheet-objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { undoWhenApart, cellRect, hasIdentical, alwaysChanges, laterWhenApart, touchesFloating } from './touches.ts';
import { insertObject, requireIndex } from './object-lists.ts';
import { defineMutation, type MutationKind } from './mutation.ts';

export interface PutChart {
  readonly sheet: string;
  /** Replaces the chart with the same id, if there is one. */
  readonly chart: Chart;
  /** Index among the charts; the end if absent. */
  readonly at?: number;
}

export const putChart: MutationKind<PutChart> = defineMutation({
  type: 28,
  name: 'put_chart',
  scope: 'objects',
  touches: ({ sheet, chart }, document) => {
    const sub = document.subSheet(sheet);
    return touchesFloating(
      sub,
      `chart ${chart.id}`,
      chart,
      sub.charts.find(({ id }) => id === chart.id),
    );
  },
  place: ({ sheet, chart }) => [{ sheet, rect: cellRect(chart.anchor.row, chart.anchor.col) }],
  isNoOp: ({ sheet, chart }, document) => hasIdentical(document.subSheet(sheet).charts, chart),
  beside: undoWhenApart,
  apply: (document, { sheet, chart, at }) => {
    const sub = document.subSheet(sheet);
    if (chart.region) checkRegion(chart.region, 'chart.region');
    const index = sub.charts.findIndex((one) => one.id === chart.id);
    const before = sub.charts[index];
    if (before) {
      sub.charts = sub.charts.with(index, chart);
      return [putChart.of({ sheet, chart: before })];
    }
    sub.charts = insertObject(sub.charts, chart, at, 'chart');
    return [removeChart.of({ sheet, id: chart.id })];
  },
});

export interface RemoveChart {
  readonly sheet: string;
  readonly id: string;
}

export const removeChart: MutationKind<RemoveChart> = defineMutation({
  type: 29,
  name: 'remove_chart',
  scope: 'objects',
  touches: ({ sheet, id }, document) => {
    const sub = document.subSheet(sheet);
    return touchesFloating(
      sub,
      `chart ${id}`,
      sub.charts.find((one) => one.id === id),
    );
  },
  place: () => [],
  isNoOp: alwaysChanges,
  beside: laterWhenApart,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const at = requireIndex(sub.charts, id, 'chart');
    const chart = sub.charts[at] as Chart;
    sub.charts = sub.charts.toSpliced(at, 1);
    return [putChart.of({ sheet, chart, at })];
  },
});
