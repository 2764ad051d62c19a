import { charge } from '../../base/budget.ts';
import { compareScalars } from '../../base/compare.ts';
import { cellErrors, RangeRef, type Grid, type Scalar } from '../../base/values.ts';
import { hasWildcard, plainPattern, wildcardMatcher } from '../../base/wildcards.ts';
import type { CallContext } from '../call-context.ts';

/** One row or column that lookup functions search. */
export interface LookupVector {
  readonly grid: Grid;
  /** `length` is the number of cells. Cells from index `filled` on are blank. */
  readonly length: number;
  readonly filled: number;
  at(index: number): Scalar;
}

/**
 * Returns a grid of one row or one column as a `LookupVector`, whose cells are read by a single index; undefined for
 * other grids.
 */
export function lookupVectorOf(grid: Grid): LookupVector | undefined {
  if (grid.cols !== 1 && grid.rows !== 1) return undefined;
  const cut = grid instanceof RangeRef ? grid.trimmed() : grid;
  if (grid.cols === 1) {
    return { grid, length: grid.rows, filled: cut.rows, at: (index) => grid.at(index, 0) };
  }
  return { grid, length: grid.cols, filled: cut.cols, at: (index) => grid.at(0, index) };
}

function kind(value: Scalar): string {
  return value === null ? 'blank' : value instanceof Object ? 'error' : typeof value;
}

/**
 * Returns the index of the first exact match, or -1, as MATCH with type 0 and VLOOKUP with FALSE do. Text may contain
 * wildcards; a blank `needle` counts as 0.
 */
export function findEqual(call: CallContext, grid: Grid, needle: Scalar): number {
  if (typeof needle !== 'string' || needle === '') return call.findExact(grid, needle ?? 0);
  if (!hasWildcard(needle)) return call.findExact(grid, plainPattern(needle));
  const line = lookupVectorOf(grid);
  return line === undefined ? -1 : findPattern(call, line, needle, false);
}

export function findPattern(call: CallContext, line: LookupVector, pattern: string, backwards: boolean): number {
  call.budget.spend(line.filled);
  const test = wildcardMatcher(pattern);
  return scanLine(line, backwards, (value) => typeof value === 'string' && test(value));
}

export function scanLine(line: LookupVector, backwards: boolean, test: (value: Scalar) => boolean): number {
  if (backwards) {
    for (let i = line.filled - 1; i >= 0; i--) if (test(line.at(i))) return i;
  } else {
    for (let i = 0; i < line.filled; i++) if (test(line.at(i))) return i;
  }
  return -1;
}

/**
 * Returns the index of the last item that is not above `needle`, or -1, for MATCH with type 1, LOOKUP, and VLOOKUP with
 * TRUE. `line` is a row or column in ascending order. If it is not sorted, the result is that of Excel's binary search.
 */
export function findSorted(line: LookupVector, needle: Scalar): number {
  const wanted = needle ?? 0;
  const type = kind(wanted);
  let low = -1;
  let high = line.filled;
  while (high - low > 1) {
    charge(1);
    const middle = low + Math.floor((high - low) / 2);
    let probe = middle;
    while (probe < high && kind(line.at(probe)) !== type) probe++;
    charge(probe - middle);
    if (probe === high) {
      high = middle;
      continue;
    }
    const order = compareScalars(line.at(probe), wanted);
    if (order === 0) {
      while (probe + 1 < high && kind(line.at(probe + 1)) === type && compareScalars(line.at(probe + 1), wanted) === 0)
        probe++;
      return probe;
    }
    if (order < 0) low = probe;
    else high = probe === middle ? middle : high > probe ? probe : middle;
  }
  // `low` may be an item of another type: step back to the last item of the needle's type.
  while (low >= 0 && kind(line.at(low)) !== type) low--;
  return low;
}

/**
 * Implements MATCH with type -1 for a row or column in descending order. Returns the index of the first item equal to
 * `needle`, or else of the last greater item. Returns -1 if there is no such item.
 */
export function findDescending(line: LookupVector, needle: Scalar): number {
  const wanted = needle ?? 0;
  const type = kind(wanted);
  let best = -1;
  for (let i = 0; i < line.filled; i++) {
    const value = line.at(i);
    if (kind(value) !== type) continue;
    const order = compareScalars(value, wanted);
    if (order === 0) return i;
    if (order < 0) return best;
    best = i;
  }
  return best;
}

export type SearchMode = 1 | -1 | 2 | -2;

/**
 * Implements XLOOKUP and XMATCH for match mode 0 (equal), 1 (equal or next larger) and -1 (equal or next smaller).
 * Returns the index of the item found, or -1. A blank `needle` finds a blank cell. Numbers are smaller than text, and
 * text is smaller than booleans.
 */
export function findByMatchMode(
  call: CallContext,
  line: LookupVector,
  needle: Scalar,
  match: -1 | 0 | 1,
  search: SearchMode,
): number {
  if (search === 2 || search === -2) return findBinary(line, needle, match, search === 2 ? 1 : -1);
  if (match === 0 && search === 1 && needle !== null) return call.findExact(line.grid, needle);
  call.budget.spend(line.filled);
  if (needle === null) {
    const blank = scanLine(line, search === -1, (value) => value === null);
    const beyond = line.filled < line.length;
    if (search === -1 && beyond) return line.length - 1;
    return blank < 0 && beyond ? line.filled : blank;
  }
  let best = -1;
  const step = search === -1 ? -1 : 1;
  for (let i = step === 1 ? 0 : line.filled - 1; i >= 0 && i < line.filled; i += step) {
    const value = line.at(i);
    if (value === null || kind(value) === 'error') continue;
    const order = compareScalars(value, needle);
    if (order === 0) return i;
    if (match === 0 || order > 0 !== match > 0) continue;
    if (best < 0 || compareScalars(value, line.at(best)) * match < 0) best = i;
  }
  return best;
}

/**
 * Finds an item by binary search in a row or column that is sorted in ascending (`direction` 1) or descending (-1)
 * order. If there is no equal item, `match` 1 returns the next larger one and -1 the next smaller one. If there are
 * several equal items, returns the first one in ascending order and the last one in descending order, as Excel does.
 */
function findBinary(line: LookupVector, needle: Scalar, match: -1 | 0 | 1, direction: 1 | -1): number {
  let end = line.filled;
  while (end > 0 && line.at(end - 1) === null) end--;
  charge(line.filled - end);
  if (needle === null) return end < line.length ? end : -1;
  let low = 0;
  let high = end - 1;
  let equal = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareScalars(line.at(middle), needle) * direction;
    if (order === 0) equal = middle;
    if (order < 0 || (order === 0 && direction < 0)) low = middle + 1;
    else high = middle - 1;
  }
  if (equal >= 0 || match === 0) return equal;
  // After the search, `high` is the last item before the needle's position, and `low` is the first one after it.
  const index = match * direction < 0 ? high : low;
  return index >= 0 && index < end ? index : -1;
}

/** Converts a zero-based index to a one-based position. Throws #N/A if the index is negative (not found). */
export function positionOf(index: number): number {
  if (index < 0) throw cellErrors.na;
  return index + 1;
}
