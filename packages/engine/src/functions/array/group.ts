import { numberOf } from '../../base/coerce.ts';
import { CellError, cellErrors, type Lambda, Matrix, type Grid, type Scalar, type Value } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { eachNumber } from '../numeric-arguments.ts';
import { trimToUsed, elementOf, gridOf, numberOr, chargeArrayResult } from '../array-arguments.ts';
import { axisLines, type AxisLine } from './group-axis.ts';
import { isTruthy } from './filter-sort.ts';

/** Sums the numbers of an argument. Throws the first error value found among them. */
function sumOf(value: Value): number {
  let sum = 0;
  const error = eachNumber([value], (number) => {
    sum += number;
  });
  if (error instanceof CellError) throw error;
  return sum;
}

interface Data {
  readonly values: Grid;
  /** The data rows that pass the filter argument of GROUPBY or PIVOTBY. */
  readonly rows: readonly number[];
  readonly headers: boolean;
  readonly shown: boolean;
}

function dataOf(fields: readonly Grid[], values: Grid, headerMode: Value | undefined, filter: Value | undefined): Data {
  const length = values.rows;
  if (fields.some((grid) => grid.rows !== length)) throw cellErrors.value;
  const automatic = headerMode === undefined || headerMode === null;
  const mode = automatic ? -1 : Math.trunc(numberOr(headerMode, 0));
  if (mode < -1 || mode > 3) throw cellErrors.value;
  const looksHeaded = length > 1 && typeof values.at(0, 0) === 'string' && typeof values.at(1, 0) === 'number';
  const headers = automatic ? looksHeaded : mode === 1 || mode === 3;
  const shown = automatic ? headers && fields.some((grid) => grid.cols > 1) : mode >= 2;
  const first = headers ? 1 : 0;
  const include = filter === undefined || filter === null ? undefined : gridOf(filter);
  if (include && include.rows !== length && include.rows !== length - first) throw cellErrors.value;
  const shift = include ? length - include.rows : 0;
  const rows: number[] = [];
  for (let r = first; r < length; r++) {
    if (include && !isTruthy(include.at(r - shift, 0))) continue;
    rows.push(r);
  }
  if (rows.length === 0) throw cellErrors.calc;
  return { values, rows, headers, shown };
}

function headerOf(grid: Grid, col: number, data: Data, generated: string): Scalar {
  return data.headers ? grid.at(0, col) : `${generated} ${col + 1}`;
}

/**
 * Aggregates a column over some rows with `lambda`, the function passed to GROUPBY or PIVOTBY. A function with two
 * parameters, such as PERCENTOF, also gets the values of the rows `all`, of which it computes a share.
 */
function aggregate(
  call: CallContext,
  lambda: Lambda,
  values: Grid,
  col: number,
  rows: readonly number[],
  all: readonly number[],
): Scalar {
  const column = (list: readonly number[]): Matrix => Matrix.column(list.map((row) => values.at(row, col)));
  const args = lambda.required >= 2 ? [column(rows), column(all)] : [column(rows)];
  call.budget.spend(rows.length + (lambda.required >= 2 ? all.length : 0));
  return elementOf(call.callLambda(lambda, args));
}

function sortOf(value: Value | undefined, most: number): number[] {
  if (value === undefined || value === null) return [];
  const grid = gridOf(value);
  const list: number[] = [];
  for (let r = 0; r < grid.rows; r++)
    for (let c = 0; c < grid.cols; c++) list.push(Math.trunc(numberOf(grid.at(r, c))));
  if (list.some((spec) => spec === 0 || Math.abs(spec) > most)) throw cellErrors.value;
  return list;
}

function depthOf(value: Value | undefined, fields: Grid, table: boolean): number {
  return Math.trunc(numberOr(value, fields.cols > 1 && !table ? 2 : 1));
}

function groupBy(
  call: CallContext,
  fields: Grid,
  values: Grid,
  lambda: Lambda,
  headerMode?: Value,
  totals?: Value,
  sort?: Value,
  filter?: Value,
  relationship?: Value,
): Value {
  const data = dataOf([fields], values, headerMode, filter);
  const table = Math.trunc(numberOr(relationship, 0)) === 1;
  const result = (col: number, rows: readonly number[]): Scalar =>
    aggregate(call, lambda, values, col, rows, data.rows);
  const lines = axisLines(
    {
      fields,
      totals: depthOf(totals, fields, table),
      sort: sortOf(sort, fields.cols + values.cols),
      table,
      value: result,
    },
    data.rows,
  );
  const out: Scalar[][] = [];
  if (data.shown) {
    const labels = Array.from({ length: fields.cols }, (_, c) => headerOf(fields, c, data, 'Row Field'));
    const names = Array.from({ length: values.cols }, (_, c) => headerOf(values, c, data, 'Value'));
    out.push([...labels, ...names]);
  }
  chargeArrayResult(call, lines.length + 1, fields.cols + values.cols);
  for (const line of lines) {
    out.push([...line.labels, ...Array.from({ length: values.cols }, (_, c) => result(c, line.rows))]);
  }
  return Matrix.fromRows(out);
}

function both(rows: readonly number[], wanted: ReadonlySet<number>): number[] {
  return rows.filter((row) => wanted.has(row));
}

/**
 * For a cell of PIVOTBY that shows its share of a total, returns the data rows of that total. `relative`, the last
 * argument of PIVOTBY, chooses the total: that of the cell's column (0), of its row (1), of all data (2), of the parent
 * column group within the row (3), or of the parent row group within the column (4).
 */
function base(relative: number, row: AxisLine, col: AxisLine, all: readonly number[]): readonly number[] {
  switch (relative) {
    case 0:
      return col.rows;
    case 1:
      return row.rows;
    case 2:
      return all;
    case 3:
      return both(row.rows, new Set(col.parent));
    case 4:
      return both(row.parent, new Set(col.rows));
    default:
      throw cellErrors.value;
  }
}

function pivotBy(
  call: CallContext,
  rowFields: Grid,
  colFields: Grid,
  values: Grid,
  lambda: Lambda,
  headerMode?: Value,
  rowTotals?: Value,
  rowSort?: Value,
  colTotals?: Value,
  colSort?: Value,
  filter?: Value,
  relativeTo?: Value,
): Value {
  const data = dataOf([rowFields, colFields], values, headerMode, filter);
  const relative = Math.trunc(numberOr(relativeTo, 0));
  const plain = (col: number, rows: readonly number[]): Scalar => aggregate(call, lambda, values, col, rows, data.rows);
  const plan = (fields: Grid, totals: Value | undefined, sort: Value | undefined): AxisLine[] =>
    axisLines(
      {
        fields,
        totals: depthOf(totals, fields, false),
        sort: sortOf(sort, fields.cols + values.cols),
        table: false,
        value: plain,
      },
      data.rows,
    );
  const down = plan(rowFields, rowTotals, rowSort);
  const across = plan(colFields, colTotals, colSort);
  const width = across.length * values.cols;
  chargeArrayResult(call, down.length + colFields.cols + 2, rowFields.cols + width);
  const corner = (): Scalar[] => Array.from<Scalar>({ length: rowFields.cols }).fill('');
  const out: Scalar[][] = [];
  for (let level = 0; level < colFields.cols; level++) {
    out.push([
      ...corner(),
      ...across.flatMap((line) => Array.from<Scalar>({ length: values.cols }).fill(line.labels[level] ?? null)),
    ]);
  }
  if (data.shown) {
    const names = Array.from({ length: values.cols }, (_, c) => headerOf(values, c, data, 'Value'));
    const labels = Array.from({ length: rowFields.cols }, (_, c) => headerOf(rowFields, c, data, 'Row Field'));
    out.push([...labels, ...across.flatMap(() => names)]);
  }
  const columnSets = across.map((line) => new Set(line.rows));
  for (const line of down) {
    const cells = across.flatMap((col, i) => {
      const rows = both(line.rows, columnSets[i] ?? new Set());
      call.budget.spend(line.rows.length);
      if (rows.length === 0) return Array.from<Scalar>({ length: values.cols }).fill('');
      const all = lambda.required >= 2 ? base(relative, line, col, data.rows) : rows;
      return Array.from({ length: values.cols }, (_, c) => aggregate(call, lambda, values, c, rows, all));
    });
    out.push([...line.labels, ...cells]);
  }
  return Matrix.fromRows(out);
}

export const groupFunctions: readonly Definition[] = [
  define('PERCENTOF', 'value value', (_call, part, all) => {
    const whole = sumOf(all);
    return whole === 0 ? cellErrors.div0 : sumOf(part) / whole;
  }),
  define('GROUPBY', 'array array lambda value? value? value? value? value?', (call, fields, values, lambda, ...rest) =>
    groupBy(call, trimToUsed(fields), trimToUsed(values), lambda, ...rest),
  ),
  define(
    'PIVOTBY',
    'array array array lambda value? value? value? value? value? value? value?',
    (call, rowFields, colFields, values, lambda, ...rest) =>
      pivotBy(call, trimToUsed(rowFields), trimToUsed(colFields), trimToUsed(values), lambda, ...rest),
  ),
];
