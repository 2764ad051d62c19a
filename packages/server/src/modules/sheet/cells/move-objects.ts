import { shiftRect } from './rects.ts';
import {
  type SheetDocument,
  type PivotTable,
  contains,
  meets,
  rectOf,
  regionOf,
  type Region,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { type Mutation, putChart, putMark, putPivot, removeMark } from '@sheaf/engine/internal/mutations';
import { fail } from '../../../kernel/errors.ts';
import { findFreeTableName, assignTableNumber } from '../objects/tables.ts';

/**
 * A block of cells (`source` on the sub-sheet `from`) that is copied or moved to the range `target` of the sub-sheet
 * `to`.
 */
export interface BlockMove {
  readonly document: SheetDocument;
  readonly from: SubSheet;
  readonly source: Rect;
  readonly to: SubSheet;
  readonly target: Rect;
}

/**
 * Updates the data ranges of charts whose data lies entirely in the moved cells. Does nothing if the cells move to
 * another sub-sheet, because a chart reads only its own sub-sheet.
 */
export function moveCharts({ from, source, to, target }: BlockMove): Mutation[] {
  if (from !== to) return [];
  return from.charts.flatMap((chart) => {
    if (!chart.region || !contains(source, rectOf(chart.region))) return [];
    return [putChart.of({ sheet: from.id, chart: { ...chart, region: shifted(chart.region, source, target) } })];
  });
}

/**
 * Plans the changes of pivot tables when a block of cells moves. A pivot table reads its source at the new position if
 * the whole source lies in the block. It moves to the new position if its whole output lies in the block.
 */
export function movePivots(move: BlockMove): Mutation[] {
  const { document, from, source, to, target } = move;
  return document.pivots.flatMap((pivot) => {
    const isFed = pivot.sourceSheet === from.id && pivot.source !== null && contains(source, rectOf(pivot.source));
    const isMoved = isPivotInBlock(move, pivot);
    if (!isFed && !isMoved) return [];
    const fed = isFed ? { sourceSheet: to.id, source: shifted(pivot.source, source, target) } : {};
    const placed = isMoved
      ? { sheet: to.id, row: pivot.row + target.top - source.top, col: pivot.col + target.left - source.left }
      : {};
    return [putPivot.of({ pivot: { ...pivot, ...fed, ...placed } })];
  });
}

/**
 * Returns the output ranges of the pivot tables that move with the moved block of cells. The caller does not copy the
 * cells of these ranges, because the pivot tables compute them again at the new position.
 */
export function movedPivotRanges(move: BlockMove): Rect[] {
  return move.document.pivots
    .filter((pivot) => isPivotInBlock(move, pivot))
    .map((pivot) => move.document.pivotOutputs.get(pivot.id)!.rect);
}

function isPivotInBlock({ document, from, source }: BlockMove, pivot: PivotTable): boolean {
  const output = document.pivotOutputs.get(pivot.id);
  return output !== undefined && output.sheet === from.id && !output.hidden && contains(source, output.rect);
}

/**
 * Returns the mutations that move the tables in the moved block of cells. A table moves if it lies entirely in the
 * block. Throws if it would then overlap another table.
 */
export function moveTables({ from, source, to, target }: BlockMove): Mutation[] {
  const moved = from.tables.filter(({ regions }) => contains(source, rectOf(regions[0]!)));
  return moved.flatMap((table) => {
    const region = shifted(table.regions[0]!, source, target);
    const other = to.tables.find((one) => !moved.includes(one) && meets(rectOf(one.regions[0]!), rectOf(region)));
    if (other) throw fail('conflict', `target: the table ${table.name} would overlap the table ${other.name}`);
    const put = putMark.of({ sheet: to.id, list: 'tables', mark: { ...table, regions: [region] } });
    return from === to ? [put] : [removeMark.of({ sheet: from.id, list: 'tables', id: table.id }), put];
  });
}

/**
 * Plans copies of the tables that lie entirely in the copied block of cells. Copies none if the block is repeated to
 * fill a larger target. Skips a table whose copy would overlap another table. `tableAs` returns the number of a table's
 * copy, or the table's own number if it has no copy.
 */
export function copyTables(
  { document, from, source, to, target }: BlockMove,
  newId: (prefix: string) => string,
): { readonly mutations: Mutation[]; readonly tableAs: (table: number) => number } {
  const numbers = new Map<number, number>();
  const names = new Set<string>();
  const isOnce =
    target.bottom - target.top === source.bottom - source.top &&
    target.right - target.left === source.right - source.left;
  const mutations = from.tables.flatMap((table) => {
    const { regions, kept: _, ...rest } = table;
    if (!isOnce || !contains(source, rectOf(regions[0]!))) return [];
    const region = shifted(regions[0]!, source, target);
    if (to.tables.some((one) => meets(rectOf(one.regions[0]!), rectOf(region)))) return [];
    const id = newId('table');
    const number = assignTableNumber(document, id);
    const name = findFreeTableName(document, table.name, names);
    numbers.set(table.number, number);
    names.add(name.toUpperCase());
    return [putMark.of({ sheet: to.id, list: 'tables', mark: { ...rest, id, number, name, regions: [region] } })];
  });
  return { mutations, tableAs: (table) => numbers.get(table) ?? table };
}

function shifted(region: Region, source: Rect, target: Rect): Region {
  return regionOf(shiftRect(rectOf(region), target.top - source.top, target.left - source.left));
}
