import { charge, maxCols } from '@sheaf/engine';
import { subexpressions, type Expression, type JoinClause } from './ast.ts';
import { compileExpression, type Evaluator, type NameScope } from './compile.ts';
import { KeyEncoder } from './group-by.ts';
import { JoinedRowSource, TableScan } from './row-sources.ts';
import { QueryError } from './scanner.ts';
import type { ColumnResolver } from './name-resolution.ts';
import { toBoolean } from './query-value.ts';

const maxRows = 2_000_000;

/**
 * Placeholder for a column of a table that is not joined yet. Its index is past the last column, where every cell is
 * blank.
 */
const noColumn = { table: 0, col: maxCols };

interface JoinKey {
  /**
   * Expression over columns of the tables that are already joined. Rows match if the values of `left` and `right` are
   * equal.
   */
  readonly left: Expression;
  /** Expression over columns of the table that this join adds. */
  readonly right: Expression;
}

/**
 * Joins tables by a hash of the equality conditions, then tests the other conditions. Returns one list per table. Each
 * list has one row number of its table per joined row, or -1 if a left join found no matching row in that table.
 */
export function hashJoin(columns: ColumnResolver, joins: readonly JoinClause[], scope: NameScope): Int32Array[] {
  const { tables } = columns;
  let rows: Int32Array[] = [Int32Array.from({ length: new TableScan(tables[0]!, []).count }, (_, at) => at)];
  joins.forEach((join, index) => {
    const added = index + 1;
    const { pairs, rest } = equalities(join.on, (one) => tablesIn(columns, one), added);
    if (pairs.length === 0) throw new QueryError('a join needs a condition of the form a.x = b.y');
    rows = joinTable(columns, rows, added, pairs, rest, join.kind === 'left', scope);
  });
  return rows;
}

/** Returns the indexes of the tables whose columns an expression uses. */
function tablesIn(columns: ColumnResolver, expression: Expression): Set<number> {
  const found = new Set<number>();
  for (const one of subexpressions(expression)) {
    if (one.kind !== 'column') continue;
    const place = columns.find(one.table, one.name, one.quoted);
    if (place !== undefined) found.add(columns.used[place]!.table);
  }
  return found;
}

function equalities(
  on: Expression,
  tablesOf: (expression: Expression) => Set<number>,
  added: number,
): { pairs: JoinKey[]; rest: Expression[] } {
  if (on.kind === 'binary' && on.op === 'and') {
    const [one, other] = [equalities(on.left, tablesOf, added), equalities(on.right, tablesOf, added)];
    return { pairs: [...one.pairs, ...other.pairs], rest: [...one.rest, ...other.rest] };
  }
  if (on.kind === 'binary' && on.op === '=') {
    const isNew = (one: Set<number>): boolean => one.size === 1 && one.has(added);
    const isOld = (one: Set<number>): boolean => one.size > 0 && [...one].every((table) => table < added);
    const [left, right] = [tablesOf(on.left), tablesOf(on.right)];
    if (isOld(left) && isNew(right)) return { pairs: [{ left: on.left, right: on.right }], rest: [] };
    if (isNew(left) && isOld(right)) return { pairs: [{ left: on.right, right: on.left }], rest: [] };
  }
  return { pairs: [], rest: [on] };
}

function joinTable(
  columns: ColumnResolver,
  rows: readonly Int32Array[],
  added: number,
  pairs: readonly JoinKey[],
  rest: readonly Expression[],
  isOuter: boolean,
  scope: NameScope,
): Int32Array[] {
  const { tables } = columns;
  const left = pairs.map((pair) => compileExpression(pair.left, scope));
  const right = pairs.map((pair) => compileExpression(pair.right, scope));
  const others = rest.map((one) => compileExpression(one, scope));
  const coders = pairs.map(() => new KeyEncoder({ evaluate: () => null, view: undefined }, () => ''));
  const keyAt = (evals: readonly Evaluator[], at: number): string | undefined => {
    let key = '';
    for (let i = 0; i < evals.length; i++) {
      const value = evals[i]!(at);
      if (value === null) return undefined;
      key += `${coders[i]!.codeOf(value)} `;
    }
    return key;
  };
  const found = new Map<string, number[]>();
  const own = columns.used.map((one) => (one.table === added ? { ...one, table: 0 } : noColumn));
  const scan = new TableScan(tables[added]!, own);
  columns.show(scan);
  scan.each((from, to, first) => {
    for (let at = from; at <= to; at++) {
      const key = keyAt(right, at);
      if (key === undefined) continue;
      const list = found.get(key);
      if (list) list.push(first + at - from);
      else found.set(key, [first + at - from]);
    }
  });
  const before = new JoinedRowSource(
    tables,
    columns.used.map((one) => (one.table < added ? one : noColumn)),
    rows,
  );
  columns.show(before);
  const origin: number[] = [];
  const match: number[] = [];
  before.each((from, to, first) => {
    for (let at = from; at <= to; at++) {
      const key = keyAt(left, at);
      const list = key === undefined ? undefined : found.get(key);
      if (list) {
        charge(list.length);
        for (const row of list) {
          origin.push(first + at - from);
          match.push(row);
        }
      }
    }
    refuseManyRows(match.length);
  });
  const made = [...rows.map((list) => Int32Array.from(origin, (at) => list[at]!)), Int32Array.from(match)];
  const chosen = others.length === 0 ? undefined : satisfying(columns, made, others);
  if (!isOuter) return chosen ? made.map((list) => Int32Array.from(chosen, (at) => list[at]!)) : made;
  return withUnmatched(rows, origin, match, chosen ?? origin.keys());
}

function refuseManyRows(count: number): void {
  if (count > maxRows) throw new QueryError(`the join gives more than ${maxRows} rows`);
}

/**
 * Returns the rows of a left join: the pairs of rows that `chosen` lists, and each other row of the left side, paired
 * with -1. `origin` and `match` contain the left and the right row of each pair, ordered by the left row.
 */
function withUnmatched(
  rows: readonly Int32Array[],
  origin: readonly number[],
  match: readonly number[],
  chosen: Iterable<number>,
): Int32Array[] {
  const left: number[] = [];
  const right: number[] = [];
  let next = 0;
  const addUnmatched = (end: number): void => {
    for (; next < end; next++) {
      left.push(next);
      right.push(-1);
    }
  };
  for (const at of chosen) {
    addUnmatched(origin[at]!);
    left.push(origin[at]!);
    right.push(match[at]!);
    next = origin[at]! + 1;
  }
  addUnmatched(rows[0]!.length);
  refuseManyRows(left.length);
  return [...rows.map((list) => Int32Array.from(left, (at) => list[at]!)), Int32Array.from(right)];
}

/**
 * Returns the indexes of the joined rows that satisfy `conditions`. The rows are already joined by the equalities of
 * the form `a.x = b.y`; `conditions` are the other conditions of the join. `rows` has one list of row numbers per
 * table.
 */
function satisfying(columns: ColumnResolver, rows: readonly Int32Array[], conditions: readonly Evaluator[]): number[] {
  const usable = columns.used.map((one) => (one.table < rows.length ? one : noColumn));
  const all = new JoinedRowSource(columns.tables, usable, rows);
  columns.show(all);
  const chosen: number[] = [];
  all.each((from, to, first) => {
    for (let at = from; at <= to; at++)
      if (conditions.every((one) => toBoolean(one(at)) === true)) chosen.push(first + at - from);
  });
  return chosen;
}
