import { leastSquares, type Fit } from '../../numerics/least-squares.ts';
import { CellError, cellErrors, Matrix, type Grid, type Scalar } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';
import { isMissing } from './descriptive-statistics.ts';

/**
 * Layout of a regression's x variables: one variable in all cells of a grid, one variable per column, or one per row.
 */
type Layout = 'one' | 'columns' | 'rows';

interface Sample {
  readonly y: Float64Array;
  readonly columns: Float64Array[];
  readonly layout: Layout;
}

/**
 * Returns all cells as numbers. Throws the error of a cell that holds an error, and #VALUE! for any other cell that is
 * not a number.
 */
function numbersOf(grid: Grid): Float64Array {
  const list = new Float64Array(grid.rows * grid.cols);
  for (let row = 0; row < grid.rows; row++) {
    for (let col = 0; col < grid.cols; col++) {
      const value = grid.at(row, col);
      if (value instanceof CellError) throw value;
      if (typeof value !== 'number') throw cellErrors.value;
      list[row * grid.cols + col] = value;
    }
  }
  return list;
}

function variables(grid: Grid, layout: Layout): Float64Array[] {
  const all = numbersOf(grid);
  if (layout === 'one') return [all];
  const { rows, cols } = grid;
  const [count, length] = layout === 'columns' ? [cols, rows] : [rows, cols];
  return Array.from({ length: count }, (_, v) =>
    Float64Array.from({ length }, (__, i) => all[layout === 'columns' ? i * cols + v : v * cols + i] as number),
  );
}

function counting(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => i + 1);
}

function layoutOf(ys: Grid, xs: Grid): Layout {
  if (xs.rows === ys.rows && xs.cols === ys.cols) return 'one';
  if (ys.cols === 1 && xs.rows === ys.rows) return 'columns';
  if (ys.rows === 1 && xs.cols === ys.cols) return 'rows';
  throw cellErrors.ref;
}

function sampleOf(call: CallContext, ys: Grid, xs: Grid | undefined): Sample {
  call.budget.spend(ys.rows * ys.cols);
  const y = numbersOf(ys);
  if (isMissing(xs)) return { y, columns: [counting(y.length)], layout: 'one' };
  const layout = layoutOf(ys, xs);
  const columns = variables(xs, layout);
  call.budget.spend(xs.rows * xs.cols * (3 + columns.length));
  return { y, columns, layout };
}

function logarithms(y: Float64Array): Float64Array {
  if (y.some((value) => value <= 0)) throw cellErrors.num;
  return y.map((value) => Math.log(value));
}

/**
 * Returns the result table of LINEST or LOGEST: the coefficients from the last variable to the first and, with `full`,
 * the regression statistics. `value` converts a coefficient for output; LOGEST needs its exponential.
 */
function report(fit: Fit, full: boolean, value: (coefficient: number) => number): Matrix {
  const reversed = [...fit.coefficients].toReversed().map(value);
  const first: Scalar[] = [...reversed, value(fit.intercept)];
  if (!full) return Matrix.row(first);
  const width = first.length;
  const { residualSquares, regressionSquares, freedom, rank } = fit;
  const total = residualSquares + regressionSquares;
  const ratio =
    freedom > 0 && residualSquares > 0 ? regressionSquares / rank / (residualSquares / freedom) : cellErrors.num;
  const rest: Scalar[][] = [
    [total > 0 ? regressionSquares / total : 1, freedom > 0 ? Math.sqrt(residualSquares / freedom) : 0],
    [ratio, freedom],
    [regressionSquares, residualSquares],
  ];
  return Matrix.fromRows([
    first,
    [...[...fit.errors].toReversed(), fit.interceptError],
    ...rest.map((row) => Array.from({ length: width }, (_, col): Scalar => row[col] ?? cellErrors.na)),
  ]);
}

/**
 * If LINEST or LOGEST does not fit a constant, sets the constant's standard error to #N/A. Only a table with statistics
 * (`full`) contains standard errors.
 */
function withoutConstant(table: Matrix, constant: boolean, full: boolean): Matrix {
  if (constant || !full) return table;
  const data = [...table.data];
  data[table.cols * 2 - 1] = cellErrors.na;
  return new Matrix(table.rows, table.cols, data);
}

function predict(fit: Fit, sample: Sample, ys: Grid, xs: Grid | undefined, news: Grid | undefined): Matrix {
  const target = isMissing(news) ? (isMissing(xs) ? ys : xs) : news;
  if (isMissing(news) && isMissing(xs)) {
    const steps = counting(sample.y.length);
    return shaped(
      ys.rows,
      ys.cols,
      steps.map((x) => fit.intercept + x * (fit.coefficients[0] as number)),
    );
  }
  if (sample.layout === 'one') {
    const values = numbersOf(target).map((x) => fit.intercept + x * (fit.coefficients[0] as number));
    return shaped(target.rows, target.cols, values);
  }
  const across = sample.layout === 'columns' ? target.cols : target.rows;
  if (across !== sample.columns.length) throw cellErrors.ref;
  const columns = variables(target, sample.layout);
  const length = columns[0]?.length ?? 0;
  const values = Float64Array.from({ length }, (_, i) => {
    let value = fit.intercept;
    columns.forEach((column, v) => {
      value += (column[i] as number) * (fit.coefficients[v] as number);
    });
    return value;
  });
  return sample.layout === 'columns' ? shaped(length, 1, values) : shaped(1, length, values);
}

function shaped(rows: number, cols: number, values: Float64Array): Matrix {
  return new Matrix(rows, cols, [...values]);
}

function exponentials(table: Matrix): Matrix {
  const data = table.data.map((value): Scalar => {
    const result = Math.exp(value as number);
    return Number.isFinite(result) ? result : cellErrors.num;
  });
  return new Matrix(table.rows, table.cols, data);
}

const identity = (value: number): number => value;

/** Function options: if the third argument is left empty between commas, it means TRUE (fit a constant). */
const constantByDefault = { whenEmpty: { 2: true } };

export const regressionFunctions: readonly Definition[] = [
  define(
    'LINEST',
    'array array? logical? logical?',
    (call, ys, xs, constant = true, full = false) => {
      const { y, columns } = sampleOf(call, ys, xs);
      return withoutConstant(report(leastSquares(y, columns, constant), full, identity), constant, full);
    },
    constantByDefault,
  ),
  define(
    'LOGEST',
    'array array? logical? logical?',
    (call, ys, xs, constant = true, full = false) => {
      const { y, columns } = sampleOf(call, ys, xs);
      return withoutConstant(report(leastSquares(logarithms(y), columns, constant), full, Math.exp), constant, full);
    },
    constantByDefault,
  ),
  define('TREND', 'array array? array? logical?', (call, ys, xs, news, constant = true) => {
    const sample = sampleOf(call, ys, xs);
    return predict(leastSquares(sample.y, sample.columns, constant), sample, ys, xs, news);
  }),
  define('GROWTH', 'array array? array? logical?', (call, ys, xs, news, constant = true) => {
    const sample = sampleOf(call, ys, xs);
    return exponentials(predict(leastSquares(logarithms(sample.y), sample.columns, constant), sample, ys, xs, news));
  }),
];
