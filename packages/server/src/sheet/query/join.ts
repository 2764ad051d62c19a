import { charge } from '@sheaf/engine';
import { inside, type Expression, type Join } from './ast.ts';
import { compile, type Eval, type Scope } from './compile.ts';
import { Coder } from './groups.ts';
import { JoinedRows, ScannedRows, type QueryTable } from './rows.ts';
import { QueryError } from './scanner.ts';
import type { Columns } from './tables.ts';
import { truth } from './values.ts';

const maxRows = 2_000_000;

interface Pair {
  /** Expression on the tables joined so far. */
  readonly left: Expression;
  /** Expression on the added table. */
  readonly right: Expression;
}

/** Joins tables: looks up equalities by hash, and tests the other conditions on the remaining rows. */
export function joined(columns: Columns, joins: readonly Join[], scope: Scope): Int32Array[] {
  const { tables } = columns;
  let rows: Int32Array[] = [Int32Array.from({ length: rowCount(tables[0]!) }, (_, at) => at)];
  joins.forEach((join, index) => {
    const added = index + 1;
    const { pairs, rest } = equalities(join.on, (one) => tablesIn(columns, one), added);
    if (pairs.length === 0) throw new QueryError('a join needs a condition of the form a.x = b.y');
    rows = withTable(columns, rows, added, pairs, rest, join.kind === 'left', scope);
  });
  return rows;
}

function rowCount({ rect, sub }: QueryTable): number {
  return Math.max(0, Math.min(rect.bottom, sub.sheet.lastRow) - rect.top + 1);
}

/** Indexes of the tables that an expression uses. */
function tablesIn(columns: Columns, expression: Expression): Set<number> {
  const found = new Set<number>();
  for (const one of inside(expression)) {
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
): { pairs: Pair[]; rest: Expression[] } {
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

function withTable(
  columns: Columns,
  rows: readonly Int32Array[],
  added: number,
  pairs: readonly Pair[],
  rest: readonly Expression[],
  isOuter: boolean,
  scope: Scope,
): Int32Array[] {
  const { tables } = columns;
  const left = pairs.map((pair) => compile(pair.left, scope));
  const right = pairs.map((pair) => compile(pair.right, scope));
  const others = rest.map((one) => compile(one, scope));
  const coders = pairs.map(() => new Coder({ evaluate: () => null, view: undefined }, () => ''));
  const keyAt = (evals: readonly Eval[], at: number): string | undefined => {
    let key = '';
    for (let i = 0; i < evals.length; i++) {
      const value = evals[i]!(at);
      if (value === null) return undefined;
      key += `${coders[i]!.codeOf(value)} `;
    }
    return key;
  };
  const found = new Map<string, number[]>();
  const own = columns.used.map((one) => (one.table === added ? { ...one, table: 0 } : { table: 0, col: 16_384 }));
  const scan = new ScannedRows(tables[added]!, own);
  columns.views = scan.views;
  scan.each((from, to, first) => {
    for (let at = from; at <= to; at++) {
      const key = keyAt(right, at);
      if (key === undefined) continue;
      const list = found.get(key);
      if (list) list.push(first + at - from);
      else found.set(key, [first + at - from]);
    }
  });
  const before = new JoinedRows(
    tables,
    columns.used.map((one) => (one.table < added ? one : { table: 0, col: 16_384 })),
    rows,
  );
  columns.views = before.views;
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
      } else if (isOuter) {
        origin.push(first + at - from);
        match.push(-1);
      }
    }
    if (match.length > maxRows) throw new QueryError(`the join gives more than ${maxRows} rows`);
  });
  const made = [...rows.map((list) => Int32Array.from(origin, (at) => list[at]!)), Int32Array.from(match)];
  return others.length === 0 ? made : kept(columns, made, others);
}

/** Filters joined rows by the remaining conditions. */
function kept(columns: Columns, rows: Int32Array[], conditions: readonly Eval[]): Int32Array[] {
  const usable = columns.used.map((one) => (one.table < rows.length ? one : { table: 0, col: 16_384 }));
  const all = new JoinedRows(columns.tables, usable, rows);
  columns.views = all.views;
  const chosen: number[] = [];
  all.each((from, to, first) => {
    for (let at = from; at <= to; at++)
      if (conditions.every((one) => truth(one(at)) === true)) chosen.push(first + at - from);
  });
  return rows.map((list) => Int32Array.from(chosen, (at) => list[at]!));
}
