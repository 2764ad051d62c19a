import { columnName, needsQuotes } from '../../base/address.ts';
import { logicalOf, numberOf, textOf } from '../../base/coerce.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';
import {
  CellError,
  cellErrors,
  Matrix,
  RangeRef,
  RefUnion,
  isReference,
  type Reference,
  type Scalar,
  type Value,
} from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import {
  mapCells,
  firstScalarOf,
  gridOf,
  catchCellErrors,
  isMultiCell,
  numberOr,
  subgridOf,
  chargeArrayResult,
} from '../array-arguments.ts';

/**
 * Implements ADDRESS: returns the text of a cell reference. `kind` is 1 if row and column are absolute, 2 if only the
 * row is, 3 if only the column is, and 4 if neither is.
 */
function address(row: number, col: number, kind: number, a1: boolean, sheet: string | undefined): string {
  if (row < 1 || row > maxRows || col < 1 || col > maxCols || kind < 1 || kind > 4) throw cellErrors.value;
  const fixedRow = kind === 1 || kind === 2;
  const fixedCol = kind === 1 || kind === 3;
  const cell = a1
    ? `${fixedCol ? '$' : ''}${columnName(col - 1)}${fixedRow ? '$' : ''}${row}`
    : `R${fixedRow ? row : `[${row}]`}C${fixedCol ? col : `[${col}]`}`;
  if (sheet === undefined) return cell;
  if (sheet === '') return `!${cell}`;
  return `${needsQuotes(sheet) ? `'${sheet.replaceAll("'", "''")}'` : sheet}!${cell}`;
}

/**
 * Returns the row or column numbers of a reference: a single number, or a vector of numbers. Without a reference, it
 * returns the number of the formula's cell.
 */
function numbersAlong(call: CallContext, ref: Reference | undefined, own: number, down: boolean): Value {
  if (ref === undefined) return own + 1;
  if (!(ref instanceof RangeRef)) return cellErrors.ref;
  const first = (down ? ref.top : ref.left) + 1;
  const count = down ? ref.rows : ref.cols;
  if (count === 1) return first;
  chargeArrayResult(call, count, 1);
  return down ? Matrix.build(count, 1, (r) => first + r) : Matrix.build(1, count, (_r, c) => first + c);
}

function index(
  call: CallContext,
  source: Value,
  row: Value | undefined,
  col: Value | undefined,
  area: number | undefined,
): Value {
  if (source instanceof CellError) return source;
  const which = area === undefined ? 1 : Math.trunc(area);
  if (which < 1) return cellErrors.value;
  const areas = source instanceof RefUnion ? source.areas : [source];
  const chosen = areas[which - 1];
  if (chosen === undefined) return cellErrors.ref;
  const grid = gridOf(chosen);
  const pick = (rowNumber: Scalar, colNumber: Scalar): Value => {
    let r = Math.trunc(numberOf(rowNumber));
    let c = Math.trunc(numberOf(colNumber));
    if (r < 0 || c < 0) return cellErrors.value;
    if (col === undefined && grid.rows === 1 && grid.cols > 1) [r, c] = [1, r];
    else if (col === undefined && grid.cols > 1 && grid instanceof RangeRef) return cellErrors.ref;
    if (r > grid.rows || c > grid.cols) return cellErrors.ref;
    const part = subgridOf(
      grid,
      r === 0 ? 0 : r - 1,
      c === 0 ? 0 : c - 1,
      r === 0 ? grid.rows : 1,
      c === 0 ? grid.cols : 1,
    );
    return part instanceof Matrix && part.data.length === 1 ? (part.data[0] ?? null) : part;
  };
  const rows = row ?? null;
  const cols = col ?? (grid.cols === 1 ? 1 : null);
  if (isMultiCell(rows) || isMultiCell(cols))
    return call.broadcast(
      [rows, cols],
      catchCellErrors((r, c) => pick(r ?? null, c ?? null)),
    );
  return pick(firstScalarOf(rows), firstScalarOf(cols));
}

/** Converts a height or width argument of OFFSET to a whole number by truncation. Sizes between 0 and 1 become 1. */
function sizeOf(size: Scalar): number {
  const number = numberOf(size);
  return number > 0 && number < 1 ? 1 : Math.trunc(number);
}

function offset(call: CallContext, base: Reference, rows: Scalar, cols: Scalar, height: Scalar, width: Scalar): Value {
  if (!(base instanceof RangeRef)) return cellErrors.value;
  const tall = height === null ? base.rows : sizeOf(height);
  const wide = width === null ? base.cols : sizeOf(width);
  if (tall === 0 || wide === 0) return cellErrors.ref;
  let top = base.top + Math.trunc(numberOf(rows));
  let left = base.left + Math.trunc(numberOf(cols));
  // A negative height or width extends up or left from the starting cell.
  if (tall < 0) top += tall + 1;
  if (wide < 0) left += wide + 1;
  return call.rectangle(base, top, left, Math.abs(tall), Math.abs(wide));
}

function choose(call: CallContext, index: Value, choices: readonly (() => Value)[]): Value {
  const at = (item: Scalar): number => {
    const number = Math.trunc(numberOf(item));
    if (number < 1 || number > choices.length) throw cellErrors.value;
    return number - 1;
  };
  if (!isMultiCell(index)) return choices[at(firstScalarOf(index))]?.() ?? null;
  const values = choices.map((choice) => choice());
  return call.broadcast(
    [index, ...values],
    catchCellErrors((item, ...items) => items[at(item ?? null)] ?? null),
  );
}

export const referenceFunctions: readonly Definition[] = [
  define('ADDRESS', 'number number value? value? text?', (_call, row, col, kind, a1, sheet) => {
    // Arguments left empty take their defaults: ADDRESS(1,1,,,"Sheet2").
    const style = a1 === undefined || a1 === null ? true : logicalOf(firstScalarOf(a1));
    return address(Math.trunc(row), Math.trunc(col), Math.trunc(numberOr(kind, 1)), style, sheet);
  }),
  define('AREAS', 'ref', (_call, ref) => (ref instanceof RefUnion ? ref.areas.length : 1), { unread: [0] }),
  define('CHOOSE', 'value lazy...', (call, which, ...choices) => choose(call, which, choices), { returnsRef: true }),
  define('COLUMN', 'ref?', (call, ref) => numbersAlong(call, ref, call.col, false), { unread: [0] }),
  define('ROW', 'ref?', (call, ref) => numbersAlong(call, ref, call.row, true), { unread: [0] }),
  define('COLUMNS', 'grid', (_call, grid) => grid.cols, { unread: [0] }),
  define('ROWS', 'grid', (_call, grid) => grid.rows, { unread: [0] }),
  define(
    'FORMULATEXT',
    'ref',
    (call, ref) =>
      mapCells(call, ref, (range, row, col) => {
        const text = call.formulaAt(range.sheet, row, col);
        if (text === undefined) return cellErrors.na;
        return text.startsWith('=') || text.startsWith('{') ? text : `=${text}`;
      }),
    { unread: [0] },
  ),
  // GETPIVOTDATA is volatile (calculated in every recalculation), because the cells that it reads are not known in
  // advance. They depend on what the pivot table shows.
  define(
    'GETPIVOTDATA',
    'text ref any? any...',
    (call, data, ref, first, ...rest) => {
      if (!(ref instanceof RangeRef)) return cellErrors.ref;
      const given = first === undefined ? [] : [first, ...rest];
      if (given.length % 2 !== 0) return cellErrors.ref;
      const items = Array.from({ length: given.length / 2 }, (_, i) => ({
        field: textOf(given[2 * i] ?? null),
        item: given[2 * i + 1] ?? null,
      }));
      return call.pivotData(ref.sheet, ref.top, ref.left, data, items);
    },
    { volatile: true, unread: [1] },
  ),
  // HYPERLINK returns only the text; the user interface follows the link.
  define('HYPERLINK', 'text scalar?', (_call, link, shown) => (shown === undefined ? link : shown)),
  define(
    'INDEX',
    'value value? value? number?',
    (call, source, row, col, area) => index(call, source, row, col, area),
    { returnsRef: true },
  ),
  define(
    'INDIRECT',
    'text logical?',
    (call, text, a1) => {
      const found = call.indirect(text, a1 !== false);
      return found === cellErrors.name ? cellErrors.ref : found;
    },
    { volatile: true, returnsRef: true },
  ),
  define(
    'OFFSET',
    'ref value value value? value?',
    (call, base, rows, cols, height, width) => {
      const sizes = [height ?? null, width ?? null].map((size) =>
        isReference(size) ? (firstScalarOf(size) ?? 0) : size,
      );
      const args = [rows, cols, ...sizes];
      if (!args.some(isMultiCell))
        return offset(
          call,
          base,
          firstScalarOf(rows),
          firstScalarOf(cols),
          firstScalarOf(sizes[0] ?? null),
          firstScalarOf(sizes[1] ?? null),
        );
      return call.broadcast(
        args,
        catchCellErrors((r, c, h, w) => offset(call, base, r ?? 0, c ?? 0, h ?? null, w ?? null)),
      );
    },
    { volatile: true, returnsRef: true, unread: [0] },
  ),
];
