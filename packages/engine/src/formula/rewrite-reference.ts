import { type AxisChange, type Span, mapPosition, mapSpan } from '../base/axis-change.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import { lostCells, resolveRef, type RefPart } from './reference.ts';

export interface StructuralEdit {
  readonly sheet: number;
  readonly axis: 'row' | 'col';
  readonly change: AxisChange;
  /**
   * If set, an insertion, deletion or move of rows affects only the columns `first` to `last`, and one of columns only
   * the rows `first` to `last`. If absent, it affects the whole sub-sheet.
   */
  readonly within?: { readonly first: number; readonly last: number };
  /**
   * If set, moved rows or columns change the ranges of objects on the sheet (such as filters) by the rules of
   * `mapRange`: a move within an object does not change its range. Absent in edits that were stored before these rules
   * existed.
   */
  readonly reorders?: true;
}

/**
 * Returns the smallest span that contains the new positions of all rows or columns of the given span after an
 * insertion, deletion or move. Returns undefined if all of them are deleted.
 */
export function mapHull(change: AxisChange, span: Span, limit: number): Span | undefined {
  if (change.kind !== 'move') return mapSpan(change, span, limit);
  const { from, count, to } = change;
  const points = [span.first, span.last, from, from + count - 1, from - 1, from + count, to - 1, to];
  let first = Infinity;
  let last = -1;
  for (const point of points) {
    if (point < span.first || point > span.last) continue;
    const at = mapPosition(change, point) as number;
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return { first, last };
}

export interface RewrittenReference {
  readonly ref: RefPart;
  /**
   * True if the set of covered cells changed, or may have changed. False if the reference covers the same cells at the
   * same or new positions.
   */
  readonly resized: boolean;
}

export interface CellPosition {
  readonly row: number;
  readonly col: number;
}

/**
 * Adapts a reference of a formula on sub-sheet `ownSheet` to an edit that inserts, deletes or moves rows or columns.
 * The formula's cell is `from` before the edit and `to` after it.
 */
export function rewriteRef(
  ref: RefPart,
  ownSheet: number,
  from: CellPosition,
  to: CellPosition,
  edit: StructuralEdit,
): RewrittenReference {
  if (ref.shape === 'lost') return { ref, resized: false };
  const rect = resolveRef(ref, from.row, from.col);
  if (!rect) return { ref: lostRef(ref), resized: true };
  let { top, left, bottom, right } = rect;
  let resized = false;
  const here = ref.lastSheet === undefined && (ref.sheet ?? ownSheet) === edit.sheet;
  if (here) {
    const rows = edit.axis === 'row';
    const whole = ref.shape === (rows ? 'cols' : 'rows');
    const { within } = edit;
    const inside =
      !within || (rows ? left >= within.first && right <= within.last : top >= within.first && bottom <= within.last);
    if (whole) resized = true;
    else if (inside) {
      const span = rows ? { first: top, last: bottom } : { first: left, last: right };
      const moved = mapSpan(edit.change, span, rows ? maxRows : maxCols);
      if (!moved) return { ref: lostRef(ref), resized: true };
      resized = moved.last - moved.first !== span.last - span.first || isMixed(edit.change, span);
      if (rows) ({ first: top, last: bottom } = moved);
      else ({ first: left, last: right } = moved);
    }
  }
  return {
    ref: {
      ...ref,
      top: ref.topAbs ? top : top - to.row,
      bottom: ref.bottomAbs ? bottom : bottom - to.row,
      left: ref.leftAbs ? left : left - to.col,
      right: ref.rightAbs ? right : right - to.col,
    },
    resized,
  };
}

/**
 * Returns whether a move of rows or columns takes some but not all positions of the span. Undoing such a move by moving
 * the rows or columns back may not restore the span.
 */
function isMixed(change: AxisChange, span: Span): boolean {
  if (change.kind !== 'move') return false;
  const end = change.from + change.count;
  return span.first < end && span.last >= change.from && (span.first < change.from || span.last >= end);
}

export function lostRef(ref: RefPart): RefPart {
  return { ...ref, ...lostCells };
}

/**
 * Returns the rows or columns at which the effect of an insertion, deletion or move changes. All positions between two
 * neighbors in the result shift by the same distance.
 */
export function breakpoints(change: AxisChange): number[] {
  switch (change.kind) {
    case 'insert':
      return [change.at];
    case 'delete':
      return [change.at, change.at + change.count];
    default:
      return [change.from, change.from + change.count, change.to];
  }
}
