import type { Rect } from '../base/address.ts';
import { anchorRect } from '../document/objects/anchor-rect.ts';
import type { Anchor } from '../document/objects/sheet-objects.ts';
import { rectOf, wholeGrid, type Region } from '../document/objects/rect.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import type { Identified } from './object-lists.ts';
import type { Beside, LineShift, Touch } from './define-mutation.ts';

export const cellRect = (row: number, col: number): Rect => ({ top: row, left: col, bottom: row, right: col });

export function wholeLines(axis: 'row' | 'col', first: number, last: number): Rect {
  return axis === 'row' ? { ...wholeGrid, top: first, bottom: last } : { ...wholeGrid, left: first, right: last };
}

export function touchesRegion({ sheet, region }: { sheet: string; region: Region }): Touch[] {
  return [{ sheet, rect: rectOf(region) }];
}

export function touchesRegions({ sheet, regions }: { sheet: string; regions: readonly Region[] }): Touch[] {
  return regions.map((one) => ({ sheet, rect: rectOf(one) }));
}

export function touchesCells(
  sheet: string,
  cells: readonly (readonly [row: number, col: number, ...rest: unknown[]])[],
): Touch[] {
  return cells.map(([row, col]) => ({ sheet, rect: cellRect(row, col) }));
}

/**
 * Returns the cells that move if cells are inserted or deleted at `region`: the region and everything after it along
 * the axis.
 */
export function touchesShiftedCells({
  sheet,
  region,
  axis,
}: {
  sheet: string;
  region: Region;
  axis: 'row' | 'col';
}): Touch[] {
  const rect = rectOf(region);
  return [
    { sheet, rect: axis === 'row' ? { ...rect, bottom: wholeGrid.bottom } : { ...rect, right: wholeGrid.right } },
  ];
}

/**
 * Returns the parts of a document that a change of a floating object (a chart or an image) affects: the object itself,
 * and the cells under it in each given state (before and after).
 */
export function touchesFloating(
  sub: SubSheet,
  object: string,
  ...states: readonly ({ readonly anchor: Anchor } | undefined)[]
): Touch[] {
  return [
    { sheet: sub.id, object },
    ...states.flatMap((one) => (one ? [{ sheet: sub.id, over: anchorRect(sub, one.anchor) }] : [])),
  ];
}

/**
 * Returns the parts of a document that are affected when whole rows or columns are hidden, shown or resized: these rows
 * or columns, and `object`, the key of the changed setting.
 */
export function touchesLines(
  sheet: string,
  axis: 'row' | 'col',
  runs: readonly (readonly [first: number, last: number, ...rest: unknown[]])[],
  object: string,
): Touch[] {
  return [{ sheet, object }, ...runs.map(([first, last]) => ({ sheet, over: wholeLines(axis, first, last) }))];
}

interface Move {
  readonly sheet: string;
  readonly axis: 'row' | 'col';
  readonly from: number;
  readonly count: number;
  readonly to: number;
}

/**
 * Returns the parts of a sub-sheet that a move changes: the rows or columns that move, and the position to which they
 * move.
 */
export function touchesMove({ sheet, axis, from, count, to }: Move): Touch[] {
  return [
    { sheet, rect: wholeLines(axis, from, from + count - 1) },
    { sheet, across: { axis, at: to } },
  ];
}

export function shiftOfMove({ sheet, axis, from, count, to }: Move): LineShift {
  return { sheet, axis, at: from, count, to };
}

export const noShift = (): undefined => undefined;

export const nameObject = ({ name, sheet = '' }: { name: string; sheet?: string }): string =>
  `name ${sheet} ${name.toUpperCase()}`;

/**
 * Implements `isNoOp` for mutation kinds that do not compare old and new values. Each of their mutations creates a
 * revision and recalculates volatile formulas, even if nothing changes.
 */
export const neverNoOp = (): boolean => false;

/** Returns whether the list already holds an identical object with the same id. */
export function hasIdentical<Kept extends Identified>(list: readonly Kept[], one: Kept): boolean {
  const before = list.find(({ id }) => id === one.id);
  return before !== undefined && JSON.stringify(before) === JSON.stringify(one);
}

/**
 * Undo rule of mutation kinds that only change cells, a setting or an object in place. Such a mutation may be part of
 * the undo of a single revision, and it does not prevent the undo of an earlier revision. In both cases, the undo and
 * the later revisions must change no common cell or object ("apart").
 */
export const undoWhenApart: Beside = { undone: 'when apart', later: 'when apart' };
/**
 * Undo rule of mutation kinds that change no cells but do more than change an object in place, for example remove it.
 * Such a mutation must not be part of the undo of a single revision. It does not prevent the undo of an earlier
 * revision that changes other objects.
 */
export const laterWhenApart: Beside = { undone: 'never', later: 'when apart' };
/**
 * Undo rule of mutation kinds that move cells or change the structure of the document. Such a mutation must not be part
 * of the undo of a single revision, and an earlier revision cannot be undone on its own.
 */
export const undoNever: Beside = { undone: 'never', later: 'never' };
