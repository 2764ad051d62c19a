import type { RE2JS } from 're2js';
import { BudgetExceeded } from '../../base/budget.ts';
import { logicalOf, numberOf, toNumber } from '../../base/coerce.ts';
import {
  CellError,
  cellErrors,
  Matrix,
  RangeRef,
  isGrid,
  type Grid,
  type Scalar,
  type Value,
} from '../../base/values.ts';
import { maxPattern, compileRegex, matcherFor } from '../../base/regex.ts';
import { hasWildcard } from '../../base/wildcards.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { trimToUsed, firstScalarOf, gridOf, catchCellErrors, isMultiCell, subgridOf } from '../array-arguments.ts';
import {
  findDescending,
  findEqual,
  findByMatchMode,
  findPattern,
  findSorted,
  lookupVectorOf,
  positionOf,
  scanLine,
  type LookupVector,
  type SearchMode,
} from './lookup-search.ts';

/** Returns a one-row or one-column grid as a `LookupVector`. Throws `otherwise` for other grids. */
function vectorOf(grid: Grid, otherwise: CellError): LookupVector {
  const line = lookupVectorOf(grid);
  if (line === undefined) throw otherwise;
  return line;
}

/**
 * Converts the column index of VLOOKUP or the row index of HLOOKUP to a number. An invalid index throws #REF! if it
 * comes from a cell, otherwise the error of the conversion.
 */
function indexOf(index: Value): number {
  const value = toNumber(firstScalarOf(index));
  if (!(value instanceof CellError)) return Math.trunc(value);
  throw index instanceof RangeRef ? cellErrors.ref : value;
}

/** Converts the last argument of VLOOKUP: TRUE if omitted, FALSE if left empty. Text in a cell is an error. */
function isSorted(flag: Value | undefined): boolean {
  if (flag === undefined) return true;
  const value = firstScalarOf(flag);
  if (flag instanceof RangeRef && typeof value === 'string') throw cellErrors.value;
  return logicalOf(value);
}

function lookupInTable(
  call: CallContext,
  needle: Scalar,
  source: Value,
  index: Value,
  range: Value | undefined,
  vertical: boolean,
): Value {
  if (typeof source === 'string') return cellErrors.value;
  const table = gridOf(source);
  const sorted = isSorted(range);
  if (isMultiCell(index)) {
    return call.broadcast(
      [index],
      catchCellErrors((item) => lookupInTable(call, needle, source, item ?? null, sorted, vertical)),
    );
  }
  const at = indexOf(index);
  if (at < 1) return cellErrors.value;
  if (at > (vertical ? table.cols : table.rows)) return cellErrors.ref;
  const keys = keysOf(table, vertical);
  const found = sorted ? findSorted(vectorOf(keys, cellErrors.na), needle) : findEqual(call, keys, needle);
  if (found < 0) return cellErrors.na;
  return vertical ? table.at(found, at - 1) : table.at(at - 1, found);
}

const keysOfArrays = { down: new WeakMap<Grid, Grid>(), across: new WeakMap<Grid, Grid>() };

/**
 * Returns the first column or row of a table, which holds the keys. The keys of an array are extracted once and cached.
 */
function keysOf(table: Grid, vertical: boolean): Grid {
  if (table instanceof RangeRef)
    return vertical ? subgridOf(table, 0, 0, table.rows, 1) : subgridOf(table, 0, 0, 1, table.cols);
  const known = vertical ? keysOfArrays.down : keysOfArrays.across;
  let keys = known.get(table);
  if (!keys) {
    keys = vertical ? subgridOf(table, 0, 0, table.rows, 1) : subgridOf(table, 0, 0, 1, table.cols);
    known.set(table, keys);
  }
  return keys;
}

function lookUp(call: CallContext, needle: Scalar, grid: Grid, result: Grid | undefined): Value {
  let keys: Grid = grid;
  let answers = result;
  if (answers === undefined) {
    const wide = grid.cols > grid.rows;
    keys = wide ? subgridOf(grid, 0, 0, 1, grid.cols) : subgridOf(grid, 0, 0, grid.rows, 1);
    answers = wide ? subgridOf(grid, grid.rows - 1, 0, 1, grid.cols) : subgridOf(grid, 0, grid.cols - 1, grid.rows, 1);
  }
  const line = vectorOf(keys, cellErrors.na);
  const found = findSorted(line, needle);
  if (found < 0) return cellErrors.na;
  const column = answers.cols === 1 || (answers.rows > 1 && keys.cols === 1);
  // If the result range is shorter than the searched range, the item found may have no counterpart in it. The cell past
  // the end of the result range is then returned, as in Excel.
  if (answers instanceof RangeRef && found >= (column ? answers.rows : answers.cols)) {
    return call.rectangle(answers, answers.top + (column ? found : 0), answers.left + (column ? 0 : found), 1, 1);
  }
  if (found >= (column ? answers.rows : answers.cols)) return cellErrors.na;
  return column ? answers.at(found, 0) : answers.at(0, found);
}

function searchModeOf(value: number | undefined): SearchMode {
  const mode = value === undefined ? 1 : Math.trunc(value);
  if (mode !== 1 && mode !== -1 && mode !== 2 && mode !== -2) throw cellErrors.value;
  return mode;
}

function findWith(
  call: CallContext,
  line: LookupVector,
  needle: Scalar,
  matchMode: number | undefined,
  search: SearchMode,
): number {
  const match = matchMode === undefined ? 0 : Math.trunc(matchMode);
  if (match === 0 || match === 1 || match === -1) return findByMatchMode(call, line, needle, match, search);
  if ((match !== 2 && match !== 3) || Math.abs(search) === 2) throw cellErrors.value;
  if (typeof needle !== 'string') return findByMatchMode(call, line, needle, 0, search);
  if (match === 2) return findPattern(call, line, needle, search === -1);
  if (needle.length > maxPattern) throw cellErrors.value;
  let regex: RE2JS;
  try {
    regex = compileRegex(needle, false);
  } catch (error) {
    if (error instanceof Error && !(error instanceof BudgetExceeded)) throw cellErrors.value;
    throw error;
  }
  call.budget.spend(line.filled);
  return scanLine(line, search === -1, (value) => typeof value === 'string' && matcherFor(regex, value).find());
}

/**
 * Converts the optional mode argument of XLOOKUP or XMATCH to a number. Returns undefined if it is omitted or left
 * empty between commas, as in XLOOKUP(x,a,b,,,2).
 */
function modeNumber(value: Value | undefined): number | undefined {
  return value === undefined || value === null ? undefined : numberOf(firstScalarOf(value));
}

function xlookup(
  call: CallContext,
  wanted: Value,
  keys: Grid,
  answers: Grid,
  otherwise: (() => Value) | undefined,
  matchMode: number | undefined,
  searchMode: number | undefined,
): Value {
  const line = vectorOf(keys, cellErrors.value);
  const search = searchModeOf(searchMode);
  const down = keys.cols === 1 && (keys.rows > 1 || answers.rows === 1);
  if (down ? answers.rows !== keys.rows : answers.cols !== keys.cols) return cellErrors.value;
  const none = (): Value => {
    const value = otherwise === undefined ? null : otherwise();
    return value === null ? cellErrors.na : value;
  };
  const one = (needle: Scalar): Value => {
    if (needle instanceof CellError) return needle;
    const found = findWith(call, line, needle, matchMode, search);
    if (found < 0) return none();
    return down ? subgridOf(answers, found, 0, 1, answers.cols) : subgridOf(answers, 0, found, answers.rows, 1);
  };
  if (isMultiCell(wanted)) return severalRows(call, wanted, one);
  const needle = firstScalarOf(wanted);
  const result = one(needle);
  // A single cell of an array becomes a plain value; a single cell of a range stays a reference.
  return result instanceof Matrix && result.data.length === 1 ? (result.data[0] ?? null) : result;
}

/**
 * Looks up several values at once, for XLOOKUP. If the values are in one column and a result has several columns, each
 * value gets a row of its own with the first row of its result. Otherwise each value gets the first cell of its result.
 */
function severalRows(call: CallContext, wanted: Matrix | RangeRef, one: (needle: Scalar) => Value): Value {
  const grid = trimToUsed(wanted);
  const results: Value[] = [];
  call.budget.spend(grid.rows * grid.cols);
  for (let r = 0; r < grid.rows; r++) for (let c = 0; c < grid.cols; c++) results.push(one(grid.at(r, c)));
  const widest = results.reduce<number>((most, item) => Math.max(most, isGrid(item) ? item.cols : 1), 1);
  const cellOf = (value: Value | undefined, col: number): Scalar => {
    if (value === undefined) return cellErrors.na;
    if (!isGrid(value)) return col === 0 ? firstScalarOf(value) : cellErrors.na;
    return col < value.cols ? value.at(0, col) : cellErrors.na;
  };
  if (grid.cols === 1 && widest > 1) {
    return Matrix.build(grid.rows, widest, (r, c) => cellOf(results[r], c));
  }
  return Matrix.build(grid.rows, grid.cols, (r, c) => cellOf(results[r * grid.cols + c], 0));
}

export const matchFunctions: readonly Definition[] = [
  define('MATCH', 'scalar grid number?', (call, needle, grid, type) => {
    const order = type === undefined ? 1 : type;
    if (grid.rows !== 1 && grid.cols !== 1) return cellErrors.na;
    if (order === 0) return positionOf(findEqual(call, grid, needle));
    const line = vectorOf(grid, cellErrors.na);
    if (typeof needle === 'string' && hasWildcard(needle)) {
      // Text with wildcards is first searched for as a pattern, even if the type of match asks for a sorted range.
      const fits = findPattern(call, line, needle, false);
      if (fits >= 0) return fits + 1;
    }
    if (order > 0) return positionOf(findSorted(line, needle));
    call.budget.spend(line.filled);
    return positionOf(findDescending(line, needle));
  }),
  define('XMATCH', 'scalar grid value? value?', (call, needle, grid, match, search) =>
    positionOf(
      findWith(call, vectorOf(grid, cellErrors.value), needle, modeNumber(match), searchModeOf(modeNumber(search))),
    ),
  ),
  define('VLOOKUP', 'scalar value value value?', (call, needle, table, index, sorted) =>
    lookupInTable(call, needle, table, index, sorted, true),
  ),
  define('HLOOKUP', 'scalar value value value?', (call, needle, table, index, sorted) =>
    lookupInTable(call, needle, table, index, sorted, false),
  ),
  define('LOOKUP', 'scalar array array?', (call, needle, grid, result) => lookUp(call, needle, grid, result)),
  define(
    'XLOOKUP',
    'value array array lazy? value? value?',
    (call, wanted, keys, answers, otherwise, match, search) =>
      xlookup(call, wanted, keys, answers, otherwise, modeNumber(match), modeNumber(search)),
    { returnsRef: true },
  ),
];
