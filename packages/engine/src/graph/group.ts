import type { RefPart } from '../formula/reference.ts';
import type { Pattern } from '../formula/pattern.ts';
import type { Sheet } from '../store/sheet.ts';

/** How far a group has come in the recalculation under way. */
const cleanState = 0;
export const pendingState = 1;
export const activeState = 2;
export const doneState = 3;

/** A run of one pattern down a column: the node of the dependency graph. */
export class Group {
  readonly sheet: Sheet;
  col: number;
  top: number;
  bottom: number;
  readonly pattern: Pattern;
  alive = true;
  /** Rows to compute, empty when `dirtyTop > dirtyBottom`. */
  dirtyTop = 0;
  dirtyBottom = -1;
  /** How often the dirty rows grew in this recalculation. */
  growths = 0;
  state = cleanState;
  /** Rows below this one are still to come while the group is active. */
  cursor = 0;
  /** Order of discovery and lowest order reachable, while sorting. */
  order = -1;
  low = -1;
  /** A formula that this group waits for waits for it. */
  circular = false;

  constructor(sheet: Sheet, col: number, top: number, bottom: number, pattern: Pattern) {
    this.sheet = sheet;
    this.col = col;
    this.top = top;
    this.bottom = bottom;
    this.pattern = pattern;
  }
}

/** One reference of one group: the union of what all its rows read. */
export interface Precedent {
  readonly group: Group;
  readonly ref: RefPart;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface RowSpan {
  readonly top: number;
  readonly bottom: number;
}

/** Rows of the group whose reference `ref` meets rows `[top, bottom]`; undefined when none does. */
export function rowsReading(group: Group, ref: RefPart, top: number, bottom: number): RowSpan | undefined {
  let low = group.top;
  let high = group.bottom;
  if (ref.topAbs) {
    if (ref.top > bottom) return undefined;
  } else high = Math.min(high, bottom - ref.top);
  if (ref.bottomAbs) {
    if (ref.bottom < top) return undefined;
  } else low = Math.max(low, top - ref.bottom);
  return low <= high ? { top: low, bottom: high } : undefined;
}

/** What `ref` covers over rows `[top, bottom]` of the group. */
export function covered(
  group: Group,
  ref: RefPart,
  top: number,
  bottom: number,
): { top: number; left: number; bottom: number; right: number } {
  return {
    top: ref.topAbs ? ref.top : ref.top + top,
    left: ref.leftAbs ? ref.left : ref.left + group.col,
    bottom: ref.bottomAbs ? ref.bottom : ref.bottom + bottom,
    right: ref.rightAbs ? ref.right : ref.right + group.col,
  };
}
