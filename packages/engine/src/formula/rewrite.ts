import { type AxisChange, type Span, mapPosition, mapSpan } from '../base/axis-change.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import { resolveRef, type RefPart } from './reference.ts';

export interface StructuralEdit {
  readonly sheet: number;
  readonly axis: 'row' | 'col';
  readonly change: AxisChange;
  /** Only these columns (or rows, for an edit along columns) shift; all when absent. */
  readonly within?: { readonly first: number; readonly last: number };
  /** Ranges of objects keep to the rule of `mapRange` when lines move. Absent in edits of the first kind of move. */
  readonly reorders?: true;
}

/** Smallest range that holds all positions a range goes to. */
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
  /** It now covers other cells than before, not the same ones elsewhere. */
  readonly resized: boolean;
}

export interface Place {
  readonly row: number;
  readonly col: number;
}

/** A reference after an edit, for a formula that stood at `from` and stands at `to`. */
export function rewriteRef(ref: RefPart, ownSheet: number, from: Place, to: Place, edit: StructuralEdit): Rewritten {
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

/** The same positions in another order: moving the block back need not give the same range. */
function isMixed(change: AxisChange, span: Span): boolean {
  if (change.kind !== 'move') return false;
  const end = change.from + change.count;
  return span.first < end && span.last >= change.from && (span.first < change.from || span.last >= end);
}

export function lostRef(ref: RefPart): RefPart {
  return {
    ...ref,
    shape: 'lost',
    lastSheet: undefined,
    top: 0,
    left: 0,
    bottom: 0,
    right: 0,
    topAbs: true,
    leftAbs: true,
    bottomAbs: true,
    rightAbs: true,
  };
}

/** Positions at which what happens to `span`-like edges changes. */
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
