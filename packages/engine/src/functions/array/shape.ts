import { chargeArray } from '../../base/budget.ts';
import { numberOf } from '../../base/coerce.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';
import { CellError, cellErrors, Matrix, RangeRef, type Grid, type Scalar, type Value } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { trimToUsed, firstScalarOf, gridOf, numberOr, subgridOf, chargeArrayResult } from '../array-arguments.ts';

/**
 * Returns start and length of the part that TAKE or DROP retains along one axis. A negative count counts from the end.
 */
function span(length: number, count: number | undefined, take: boolean): { from: number; size: number } {
  if (count === undefined) return { from: 0, size: length };
  const wanted = Math.trunc(count);
  const size = Math.min(Math.abs(wanted), length);
  const kept = take ? size : length - size;
  if (kept === 0) throw cellErrors.calc;
  const fromStart = take ? wanted > 0 : wanted < 0;
  return { from: fromStart ? 0 : length - kept, size: kept };
}

function cut(grid: Grid, rows: Value | undefined, cols: Value | undefined, take: boolean): Value {
  const countOf = (value: Value | undefined): number | undefined =>
    value === undefined || value === null ? undefined : numberOf(firstScalarOf(value));
  const down = span(grid.rows, countOf(rows), take);
  const across = span(grid.cols, countOf(cols), take);
  return subgridOf(grid, down.from, across.from, down.size, across.size);
}

/**
 * Returns the zero-based positions that the arguments of CHOOSEROWS or CHOOSECOLS select. Negative arguments count from
 * the end.
 */
function chosen(args: readonly Grid[], length: number): number[] {
  const list: number[] = [];
  for (const grid of args) {
    for (let r = 0; r < grid.rows; r++) {
      for (let c = 0; c < grid.cols; c++) {
        const at = Math.trunc(numberOf(grid.at(r, c)));
        if (at === 0 || Math.abs(at) > length) throw cellErrors.value;
        list.push(at > 0 ? at - 1 : length + at);
      }
    }
  }
  return list;
}

/** Concatenates arrays horizontally (`across`) or vertically. Missing cells become #N/A. */
function stack(call: CallContext, args: readonly Value[], across: boolean): Value {
  const grids = args.map((arg) => (arg instanceof CellError ? new Matrix(1, 1, [arg]) : trimToUsed(gridOf(arg))));
  const along = grids.reduce((sum, grid) => sum + (across ? grid.cols : grid.rows), 0);
  const other = grids.reduce((most, grid) => Math.max(most, across ? grid.rows : grid.cols), 0);
  const rows = across ? other : along;
  const cols = across ? along : other;
  chargeArrayResult(call, rows, cols);
  chargeArray(rows * cols);
  const data: Scalar[] = Array.from<Scalar>({ length: rows * cols }).fill(cellErrors.na);
  let offset = 0;
  for (const grid of grids) {
    const top = across ? 0 : offset;
    const left = across ? offset : 0;
    for (let r = 0; r < grid.rows; r++) {
      for (let c = 0; c < grid.cols; c++) data[(top + r) * cols + left + c] = grid.at(r, c);
    }
    offset += across ? grid.cols : grid.rows;
  }
  return new Matrix(rows, cols, data);
}

function flatten(call: CallContext, array: Grid, ignore: number, byColumn: boolean): Scalar[] {
  const mode = Math.trunc(ignore);
  if (mode < 0 || mode > 3) throw cellErrors.value;
  // Bit 0 of the mode of TOCOL and TOROW means that blanks are ignored. Only then may the range be trimmed, because
  // trimming removes trailing blanks.
  const grid = (mode & 1) === 1 ? trimToUsed(array) : array;
  chargeArrayResult(call, grid.rows, grid.cols);
  const list: Scalar[] = [];
  const outer = byColumn ? grid.cols : grid.rows;
  const inner = byColumn ? grid.rows : grid.cols;
  for (let i = 0; i < outer; i++) {
    for (let j = 0; j < inner; j++) {
      const value = byColumn ? grid.at(j, i) : grid.at(i, j);
      if (value === null && (mode & 1) === 1) continue;
      if (value instanceof CellError && (mode & 2) === 2) continue;
      list.push(value);
    }
  }
  if (list.length === 0) throw cellErrors.calc;
  return list;
}

function wrap(call: CallContext, vector: Grid, count: number, pad: Scalar | undefined, rowWise: boolean): Value {
  if (vector.rows > 1 && vector.cols > 1) return cellErrors.value;
  const size = Math.trunc(count);
  if (size < 1) return cellErrors.num;
  const line = trimToUsed(vector);
  const length = line.rows * line.cols;
  const others = Math.ceil(length / size);
  const width = Math.min(size, length);
  const filler = pad === undefined ? cellErrors.na : pad;
  const at = (index: number): Scalar =>
    index >= length ? filler : line.cols === 1 ? line.at(index, 0) : line.at(0, index);
  chargeArrayResult(call, others, width);
  return rowWise
    ? Matrix.build(others, width, (r, c) => at(r * size + c))
    : Matrix.build(width, others, (r, c) => at(c * size + r));
}

function sequence(call: CallContext, rows: number, cols: number, start: number, step: number): Value {
  const height = Math.trunc(rows);
  const width = Math.trunc(cols);
  if (height < 0 || width < 0) return cellErrors.value;
  if (height === 0 || width === 0) return cellErrors.calc;
  if (height > maxRows || width > maxCols) return cellErrors.value;
  chargeArrayResult(call, height, width);
  return Matrix.build(height, width, (r, c) => start + (r * width + c) * step);
}

/**
 * Implements TRIMRANGE: removes empty rows and columns at the edges. `trimRows` and `trimCols` say where: 0 nowhere, 1
 * before the first filled one, 2 after the last filled one, 3 at both ends.
 */
function trimmedRange(grid: Grid, trimRows: number, trimCols: number): Value {
  for (const mode of [trimRows, trimCols]) if (mode < 0 || mode > 3) return cellErrors.value;
  let top = Infinity;
  let left = Infinity;
  let bottom = -1;
  let right = -1;
  grid.eachFilled((_value, r, c) => {
    if (r < top) top = r;
    if (r > bottom) bottom = r;
    if (c < left) left = c;
    if (c > right) right = c;
  });
  if (bottom < 0) return cellErrors.ref;
  const firstRow = (trimRows & 1) === 1 ? top : 0;
  const lastRow = (trimRows & 2) === 2 ? bottom : grid.rows - 1;
  const firstCol = (trimCols & 1) === 1 ? left : 0;
  const lastCol = (trimCols & 2) === 2 ? right : grid.cols - 1;
  return subgridOf(grid, firstRow, firstCol, lastRow - firstRow + 1, lastCol - firstCol + 1);
}

function expand(call: CallContext, grid: Grid, rows: number, cols: number, pad: Scalar | undefined): Value {
  const height = Math.trunc(rows);
  const width = Math.trunc(cols);
  if (height < grid.rows || width < grid.cols) return cellErrors.value;
  if (height > maxRows || width > maxCols) return cellErrors.num;
  chargeArrayResult(call, height, width);
  const filler = pad === undefined ? cellErrors.na : pad;
  return Matrix.build(height, width, (r, c) => (r < grid.rows && c < grid.cols ? grid.at(r, c) : filler));
}

export const shapeFunctions: readonly Definition[] = [
  define('TAKE', 'array value value?', (_call, grid, rows, cols) => cut(grid, rows, cols, true), { returnsRef: true }),
  define('DROP', 'array value value?', (_call, grid, rows, cols) => cut(grid, rows, cols, false), { returnsRef: true }),
  define('CHOOSEROWS', 'array array...', (call, grid, ...which) => {
    const rows = chosen(which, grid.rows);
    const width = trimToUsed(grid).cols;
    chargeArrayResult(call, rows.length, width);
    return Matrix.build(rows.length, width, (r, c) => grid.at(rows[r] ?? 0, c));
  }),
  define('CHOOSECOLS', 'array array...', (call, grid, ...which) => {
    const cols = chosen(which, grid.cols);
    const height = trimToUsed(grid).rows;
    chargeArrayResult(call, height, cols.length);
    return Matrix.build(height, cols.length, (r, c) => grid.at(r, cols[c] ?? 0));
  }),
  define('EXPAND', 'array value value? any?', (call, grid, rows, cols, pad) =>
    expand(call, grid, numberOr(rows, grid.rows), numberOr(cols, grid.cols), pad),
  ),
  define('HSTACK', 'value...', (call, ...args) => stack(call, args, true)),
  define('VSTACK', 'value...', (call, ...args) => stack(call, args, false)),
  define('TOCOL', 'array number? logical?', (call, grid, ignore, byColumn) =>
    Matrix.column(flatten(call, grid, ignore ?? 0, byColumn === true)),
  ),
  define('TOROW', 'array number? logical?', (call, grid, ignore, byColumn) =>
    Matrix.row(flatten(call, grid, ignore ?? 0, byColumn === true)),
  ),
  define('WRAPROWS', 'array number any?', (call, grid, count, pad) => wrap(call, grid, count, pad, true)),
  define('WRAPCOLS', 'array number any?', (call, grid, count, pad) => wrap(call, grid, count, pad, false)),
  define('TRANSPOSE', 'array', (call, array) => {
    const grid = trimToUsed(array);
    chargeArrayResult(call, grid.rows, grid.cols);
    return Matrix.build(grid.cols, grid.rows, (r, c) => grid.at(c, r));
  }),
  define('SEQUENCE', 'value value? value? value?', (call, rows, cols, start, step) =>
    sequence(call, numberOr(rows, 1), numberOr(cols, 1), numberOr(start, 1), numberOr(step, 1)),
  ),
  define(
    'TRIMRANGE',
    'array value? value?',
    (call, grid, rows, cols) => {
      const range = trimmedRange(grid, Math.trunc(numberOr(rows, 3)), Math.trunc(numberOr(cols, 3)));
      if (!(range instanceof RangeRef)) return range;
      return call.rectangle(range, range.top, range.left, range.rows, range.cols);
    },
    { returnsRef: true },
  ),
];
