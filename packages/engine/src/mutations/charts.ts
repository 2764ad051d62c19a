import type { Chart } from '../document/objects/sheet-objects.ts';
import { checkRegion } from '../document/objects/rect.ts';
import { undoWhenApart, cellRect, hasIdentical, neverNoOp, laterWhenApart, touchesFloating } from './affected-parts.ts';
import { putObject, takeObject, type RemoveObject } from './object-lists.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface PutChart {
  readonly sheet: string;
  /** The chart to add. It replaces the chart with the same id, if there is one. */
  readonly chart: Chart;
  /** Index in the list of charts at which a new chart is inserted; the end if absent. */
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
    const [charts, before] = putObject(sub.charts, chart, at, 'chart');
    sub.charts = charts;
    return [before ? putChart.of({ sheet, chart: before }) : removeChart.of({ sheet, id: chart.id })];
  },
});

export const removeChart: MutationKind<RemoveObject> = defineMutation({
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
  isNoOp: neverNoOp,
  beside: laterWhenApart,
  apply: (document, { sheet, id }) => {
    const sub = document.subSheet(sheet);
    const { rest, object, at } = takeObject(sub.charts, id, 'chart');
    sub.charts = rest;
    return [putChart.of({ sheet, chart: object, at })];
  },
});
