import {
  type SheetDocument,
  type PivotTable,
  contains,
  rectOf,
  regionOf,
  type Region,
  type SubSheet,
} from '../engine/document.ts';
import type { Rect } from '../engine/index.ts';
import { type Mutation, putChart, putPivot } from '../engine/mutations.ts';

/** A block of cells that is cut and pasted. */
export interface Move {
  readonly document: SheetDocument;
  readonly from: SubSheet;
  readonly source: Rect;
  readonly to: SubSheet;
  readonly target: Rect;
}

/** Charts whose data lies whole in the block draw it where it is then. Their data is of their own sub-sheet: to another one they do not follow. */
export function movedCharts({ from, source, to, target }: Move): Mutation[] {
  if (from !== to) return [];
  return from.charts.flatMap((chart) => {
    if (!chart.region || !contains(source, rectOf(chart.region))) return [];
    return [putChart.of({ sheet: from.id, chart: { ...chart, region: shifted(chart.region, source, target) } })];
  });
}

/** Pivot tables whose source or whose whole table lies in the block. */
export function movedPivots(move: Move): Mutation[] {
  const { document, from, source, to, target } = move;
  return document.pivots.flatMap((pivot) => {
    const isFed = pivot.sourceSheet === from.id && pivot.source !== null && contains(source, rectOf(pivot.source));
    const isMoved = standsIn(move, pivot);
    if (!isFed && !isMoved) return [];
    const fed = isFed ? { sourceSheet: to.id, source: shifted(pivot.source, source, target) } : {};
    const placed = isMoved
      ? { sheet: to.id, row: pivot.row + target.top - source.top, col: pivot.col + target.left - source.left }
      : {};
    return [putPivot.of({ pivot: { ...pivot, ...fed, ...placed } })];
  });
}

/** What the pivot tables that move along show: they compute it at their new place. */
export function tablesMoved(move: Move): Rect[] {
  return move.document.pivots
    .filter((pivot) => standsIn(move, pivot))
    .map((pivot) => move.document.pivotOutputs.get(pivot.id)!.rect);
}

function standsIn({ document, from, source }: Move, pivot: PivotTable): boolean {
  const output = document.pivotOutputs.get(pivot.id);
  return output !== undefined && output.sheet === from.id && !output.hidden && contains(source, output.rect);
}

function shifted(region: Region, source: Rect, target: Rect): Region {
  const { top, left, bottom, right } = rectOf(region);
  const down = target.top - source.top;
  const across = target.left - source.left;
  return regionOf({ top: top + down, left: left + across, bottom: bottom + down, right: right + across });
}
