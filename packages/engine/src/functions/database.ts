import { toNumber, toText } from '../base/coerce.ts';
import { compareText } from '../base/compare.ts';
import { criterion } from '../base/criteria.ts';
import { parseNumber } from '../base/parse-number.ts';
import { CellError, cellErrors, RangeRef, type Grid, type Scalar } from '../base/values.ts';
import type { CallContext } from './call-context.ts';
import { define, type Definition } from './define.ts';
import { populationVariance, sampleVariance, sum } from './statistical/descriptive-statistics.ts';

type RecordTest = (row: number) => boolean;

/**
 * Returns the column of a field, given by its header (case-insensitive) or its one-based number; -1 if the argument is
 * empty.
 */
function fieldOf(table: Grid, field: Scalar): number {
  if (table.rows < 2) throw cellErrors.value;
  if (field instanceof CellError) throw field;
  if (field === null) return -1;
  if (typeof field === 'string') {
    const column = columnNamed(table, field);
    if (column < 0) throw cellErrors.value;
    return column;
  }
  const column = Math.trunc(toNumber(field) as number) - 1;
  if (column < 0 || column >= table.cols) throw cellErrors.value;
  return column;
}

/** Returns the column with this header, or -1. Headers are compared as text: TRUE equals "true". */
function columnNamed(table: Grid, name: Scalar): number {
  const wanted = toText(name);
  if (wanted instanceof CellError || wanted === '') return -1;
  for (let col = 0; col < table.cols; col++) {
    const heading = toText(table.at(0, col));
    if (!(heading instanceof CellError) && compareText(heading, wanted) === 0) return col;
  }
  return -1;
}

/**
 * Adapts a cell of a criteria range: text without an operator matches everything that starts with it, so `*` is
 * appended. Other conditions remain unchanged.
 */
function prefixCriterion(condition: Scalar): Scalar {
  if (typeof condition !== 'string' || condition === '' || /^[<>=]/.test(condition)) return condition;
  return parseNumber(condition) === undefined ? `${condition}*` : condition;
}

/**
 * Returns the test for a condition of DSUM and similar functions whose header is not a column of the database. Such a
 * condition is a formula that refers to the first record. For record n, it is evaluated as if it were n - 1 rows lower.
 */
function computedTest(call: CallContext, criteria: Grid, row: number, col: number): RecordTest {
  const written = criteria.at(row, col);
  if (!(criteria instanceof RangeRef)) return () => isTrue(written);
  const { sheet, top, left } = criteria;
  return (record) => {
    const value = record === 1 ? undefined : call.formulaBelow(sheet, top + row, left + col, record - 1);
    return isTrue(value === undefined ? written : value);
  };
}

function isTrue(value: Scalar): boolean {
  return value === true || (typeof value === 'number' && value !== 0);
}

/**
 * Returns the test that a record of the table must pass. The rows of the criteria range are alternatives (OR); the
 * cells within a row must all match (AND).
 */
function recordTest(call: CallContext, table: Grid, criteria: Grid): RecordTest {
  if (criteria.rows < 2) throw cellErrors.value;
  const alternatives: RecordTest[] = [];
  for (let row = 1; row < criteria.rows; row++) {
    const tests: RecordTest[] = [];
    for (let col = 0; col < criteria.cols; col++) {
      const condition = criteria.at(row, col);
      if (condition === null) continue;
      const column = columnNamed(table, criteria.at(0, col));
      if (column < 0) {
        tests.push(computedTest(call, criteria, row, col));
        continue;
      }
      const wanted = criterion(prefixCriterion(condition));
      tests.push((record) => wanted.test(table.at(record, column)));
    }
    alternatives.push((record) => {
      call.budget.spend(tests.length);
      return tests.every((test) => test(record));
    });
  }
  return (record) => alternatives.some((test) => test(record));
}

function trimmed(grid: Grid): Grid {
  return grid instanceof RangeRef ? grid.trimmed() : grid;
}

/** Returns the cells in the column of `field`, for all records (rows of the table) that match the criteria. */
function cellsOf(call: CallContext, database: Grid, field: Scalar, criteria: Grid): Scalar[] {
  const table = trimmed(database);
  const column = fieldOf(database, field);
  if (column < 0) throw cellErrors.value;
  return rowsOf(call, table, criteria).map((row) => table.at(row, column));
}

function rowsOf(call: CallContext, table: Grid, criteria: Grid): number[] {
  const test = recordTest(call, table, trimmedRows(criteria));
  const rows: number[] = [];
  for (let row = 1; row < table.rows; row++) {
    call.budget.spend(1);
    if (test(row)) rows.push(row);
  }
  return rows;
}

/**
 * Cuts off the rows of a criteria range below the used part of its sub-sheet, except one. A blank row of criteria
 * matches all records, so one of them has the same effect as many.
 */
function trimmedRows(criteria: Grid): Grid {
  if (!(criteria instanceof RangeRef)) return criteria;
  const last = Math.max(criteria.sheet.lastRow + 1, criteria.top + 1);
  return last >= criteria.bottom ? criteria : criteria.part(0, 0, last - criteria.top + 1, criteria.cols);
}

function numbersOf(cells: readonly Scalar[]): number[] {
  const list: number[] = [];
  for (const cell of cells) {
    if (cell instanceof CellError) throw cell;
    if (typeof cell === 'number') list.push(cell);
  }
  return list;
}

type Total = (list: readonly number[]) => number | CellError;

function total(name: string, run: Total): Definition {
  return define(name, 'grid any grid', (call, database, field, criteria) =>
    run(numbersOf(cellsOf(call, database, field, criteria))),
  );
}

/**
 * Defines a function that counts the matching records whose field satisfies `counts`; without a field, all matching
 * records.
 */
function counter(name: string, counts: (cell: Scalar) => boolean): Definition {
  return define(name, 'grid any grid', (call, database, field, criteria) => {
    if (fieldOf(database, field) < 0) return rowsOf(call, trimmed(database), criteria).length;
    return cellsOf(call, database, field, criteria).filter(counts).length;
  });
}

function extreme(list: readonly number[], pick: (a: number, b: number) => number): number {
  let best = list[0] ?? 0;
  for (const value of list) best = pick(best, value);
  return best;
}

function product(list: readonly number[]): number {
  let result = list.length === 0 ? 0 : 1;
  for (const value of list) result *= value;
  return result;
}

export const databaseFunctions: readonly Definition[] = [
  total('DSUM', sum),
  total('DAVERAGE', (list) => (list.length === 0 ? cellErrors.div0 : sum(list) / list.length)),
  total('DMAX', (list) => extreme(list, Math.max)),
  total('DMIN', (list) => extreme(list, Math.min)),
  total('DPRODUCT', product),
  total('DVAR', sampleVariance),
  total('DVARP', populationVariance),
  total('DSTDEV', (list) => Math.sqrt(sampleVariance(list))),
  total('DSTDEVP', (list) => Math.sqrt(populationVariance(list))),
  counter('DCOUNT', (cell) => typeof cell === 'number'),
  counter('DCOUNTA', (cell) => cell !== null),
  define('DGET', 'grid any grid', (call, database, field, criteria) => {
    const cells = cellsOf(call, database, field, criteria);
    if (cells.length > 1) return cellErrors.num;
    return cells.length === 0 ? cellErrors.value : (cells[0] as Scalar);
  }),
];
