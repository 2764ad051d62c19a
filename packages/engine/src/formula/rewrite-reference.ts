import { type AxisChange, type Span, mapPosition, mapSpan } from '../base/axis-change.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import { lostCells, resolveRef, type RefPart } from './reference.ts';

export interface StructuralEdit {
  readonly sheet: number;
  readonly axis: 'row' | 'col';
  readonly change: AxisChange;
  /** If set, only these columns shift (for an edit along rows), or only these rows (along columns). */
  readonly within?: { readonly first: number; readonly last: number };
  /**
   * If set, moves of rows or columns change the ranges of objects by the rules of `mapRange`: a move within an object
   * does not change its range. Absent in edits that were stored before these rules existed.
   */
  readonly reorders?: true;
}

/**
 * Returns the smallest span that contains all positions of the given span after the edit; undefined if all are
 * deleted.
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

export interface Rewritten {
  readonly ref: RefPart;
  /** True if the reference now covers other cells, not only the same cells at new positions. */
  readonly resized: boolean;
}

export interface CellPosition {
  readonly row: number;
  readonly col: number;
}

/** Rewrites a reference for a structural edit. The formula that contains it moves from cell `from` to cell `to`. */
export function rewriteRef(
  ref: RefPart,
  ownSheet: number,
  from: CellPosition,
  to: CellPosition,
  edit: StructuralEdit,
): Rewritten {
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
 * Returns whether a move takes some but not all positions of the span. Moving the block back may then not restore the
 * span.
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
 * Returns the positions at which the effect of the edit changes. All positions between two of them shift by the same
 * distance.
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
