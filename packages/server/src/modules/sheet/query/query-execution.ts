import { chargeMemory, chargeText, type SheetDocument } from '@sheaf/engine/internal/document';
import { charge } from '@sheaf/engine';
import {
  subexpressions,
  expressionKey,
  countNodes,
  type Expression,
  type Query,
  type SelectItem,
  type SortKey,
} from './ast.ts';
import { compileExpression, type Evaluator, type NameScope } from './compile.ts';
import { hasAggregate, isAggregate, separatorOf } from './aggregate-calls.ts';
import { createAggregate, type Aggregate } from './aggregates.ts';
import { KeyEncoder, RowGroups, type AggregateArgument } from './group-by.ts';
import { hashJoin } from './hash-join.ts';
import { SumsByText } from './sums-by-text.ts';
import type { QueryOptions, QueryResult } from './query-result.ts';
import type { ComputedTexts } from './result-table.ts';
import { JoinedRowSource, TableScan, type QueryTable, type RowSource } from './row-sources.ts';
import { QueryError } from './scanner.ts';
import { ColumnResolver } from './name-resolution.ts';
import { toBoolean, type QueryValue } from './query-value.ts';
import { compareRows, WindowFunctions } from './windows.ts';

/**
 * What a query needs to run: the tables of its FROM and JOIN clauses, in order, and the state that it shares with its
 * subqueries.
 */
interface ExecutionOptions {
  readonly options: QueryOptions;
  readonly tables: readonly QueryTable[];
  readonly texts: ComputedTexts;
  readonly runQuery: (query: Query) => QueryResult;
}

/**
 * Compiled argument of an aggregate function such as `sum`, or a compiled GROUP BY key. If it is only a column, `place`
 * is the column's index in the list of columns that the query reads; otherwise undefined.
 */
interface CompiledArgument {
  readonly evaluate: Evaluator;
  readonly place: number | undefined;
}

interface OutputColumn {
  readonly name: string;
  readonly pattern: string;
  readonly expression: Expression;
}

/** Runs one query on its tables and returns the result rows. */
export class QueryExecution {
  readonly #document: SheetDocument;
  readonly #query: Query;
  readonly #options: QueryOptions;
  readonly #columns: ColumnResolver;
  readonly #scope: NameScope;
  readonly #textOf: (id: number) => string;

  constructor(document: SheetDocument, query: Query, given: ExecutionOptions) {
    this.#document = document;
    this.#query = query;
    this.#options = given.options;
    const { strings } = document.workbook;
    this.#textOf = (id) => (id < 0 ? given.texts.get(id) : strings.get(id));
    this.#columns = new ColumnResolver(document, given.tables, { textOf: this.#textOf, runQuery: given.runQuery });
    this.#scope = this.#columns.scope();
  }

  result(): QueryResult {
    const outputs = this.#query.select.flatMap((one) => this.#outputs(one));
    const orders = this.#query.orderBy.map(({ expression, descending }) => ({
      expression: this.#ordered(expression, outputs),
      descending,
    }));
    const having = this.#query.having && this.#aliased(this.#query.having, outputs);
    const groupBy = this.#query.groupBy.map((one) => this.#ordered(one, outputs));
    const all = [...outputs.map(({ expression }) => expression), ...orders.map(({ expression }) => expression)];
    const isGrouped = groupBy.length > 0 || [...all, ...(having ? [having] : [])].some(hasAggregate);
    // Compile all expressions before reading any row, because compiling records which columns the query reads.
    const where = this.#query.where && compileExpression(this.#query.where, this.#scope);
    if (this.#query.where && hasAggregate(this.#query.where))
      throw new QueryError('where cannot hold an aggregate; use having');
    const made = isGrouped
      ? this.#grouped(outputs, orders, groupBy, having, where)
      : this.#plain(outputs, orders, where);
    return { columns: outputs.map(({ name, pattern }) => ({ name, pattern })), ...made };
  }

  #outputs({ expression, alias, text, table: only }: SelectItem): OutputColumn[] {
    if (!expression)
      return this.#columns.allColumns(only).map(({ name, place }) => {
        const { table } = this.#columns.used[place]!;
        const { tables } = this.#columns;
        const owner = tables.length > 1 ? (tables[table]!.alias ?? tables[table]!.name) : undefined;
        const column: Expression = { kind: 'column', table: owner, name, quoted: false };
        return { name, pattern: this.#patternOf(column), expression: column };
      });
    return [{ name: alias ?? nameOf(expression, text), pattern: this.#patternOf(expression), expression }];
  }

  /**
   * Returns the number format of the column that the expression reads, directly or as the argument of one of the listed
   * aggregates. Returns General for any other expression.
   */
  #patternOf(expression: Expression): string {
    if (expression.kind === 'call' && ['min', 'max', 'sum', 'avg', 'median'].includes(expression.name)) {
      const [arg] = expression.args;
      return arg ? this.#patternOf(arg) : 'General';
    }
    if (expression.kind !== 'column') return 'General';
    const place = this.#columns.find(expression.table, expression.name, expression.quoted);
    if (place === undefined) return 'General';
    const { table, col } = this.#columns.used[place]!;
    const { sub, rect, patterns } = this.#columns.tables[table]!;
    return sub ? this.#document.numberFormat(sub, rect.top, col) : (patterns?.[col] ?? 'General');
  }

  /**
   * Resolves an expression of ORDER BY or GROUP BY. A number is the position (from 1) of a result column, and a name
   * may be the alias of a result column.
   */
  #ordered(expression: Expression, outputs: readonly OutputColumn[]): Expression {
    if (expression.kind === 'literal' && typeof expression.value === 'number') {
      const found = outputs[expression.value - 1];
      if (!found) throw new QueryError(`there is no column ${expression.value} in the result`);
      return found.expression;
    }
    return this.#aliased(expression, outputs);
  }

  #aliased(expression: Expression, outputs: readonly OutputColumn[]): Expression {
    const replace = (one: unknown): unknown => {
      if (Array.isArray(one)) return one.map(replace);
      if (typeof one !== 'object' || one === null) return one;
      const node = one as Expression;
      if (node.kind === 'column' && node.table === undefined) {
        const found = outputs.find(({ name }) => name.toLowerCase() === node.name.toLowerCase());
        if (found && found.expression.kind !== 'column' && !this.#columns.isHeading(node.name)) return found.expression;
        return node;
      }
      // Do not replace names inside a subquery, because they refer to the subquery's own tables.
      return Object.fromEntries(
        Object.entries(node).map(([key, value]) => [key, key === 'query' ? (value as unknown) : replace(value)]),
      );
    };
    return replace(expression) as Expression;
  }

  #rows(): RowSource {
    const { tables, used } = this.#columns;
    if (tables.length === 1) return this.#show(new TableScan(tables[0]!, used));
    return this.#show(new JoinedRowSource(tables, used, hashJoin(this.#columns, this.#query.joins, this.#scope)));
  }

  #show(rows: RowSource): RowSource {
    this.#columns.show(rows);
    return rows;
  }

  #slice(): { skip: number; end: number } {
    const skip = this.#query.offset + (this.#options.skip ?? 0);
    const limit = (this.#query.limit ?? Infinity) - (this.#options.skip ?? 0);
    return { skip, end: skip + Math.max(0, Math.min(limit, this.#options.most)) };
  }

  /** Returns how many of `rows` rows remain after the query's LIMIT and OFFSET. */
  #asked(rows: number): number {
    return Math.max(0, Math.min(rows - this.#query.offset, this.#query.limit ?? Infinity));
  }

  #plain(
    outputs: readonly OutputColumn[],
    orders: readonly SortKey[],
    where: Evaluator | undefined,
  ): { rows: QueryValue[][]; total: number } {
    const windows = new WindowFunctions([...outputs, ...orders].map(({ expression }) => expression));
    const computeWindows = windows.prepare((one) => compileExpression(one, this.#scope));
    const scope = withWindows(this.#scope, windows);
    const evals = outputs.map(({ expression }) => compileExpression(expression, scope));
    const keys = orders.map(({ expression }) => compileExpression(expression, scope));
    const rows = this.#rows();
    const { skip, end } = this.#slice();
    const chosen: number[] = [];
    const sorted: QueryValue[][] = keys.map(() => []);
    const isAll = keys.length === 0 && !this.#query.distinct && windows.isEmpty;
    let total = 0;
    rows.each((from, to, first) => {
      for (let at = from; at <= to; at++) {
        if (where && toBoolean(where(at)) !== true) continue;
        total++;
        if (isAll && total > end) continue;
        chosen.push(first + at - from);
        if (windows.isEmpty) keys.forEach((key, index) => sorted[index]!.push(key(at)));
      }
      // If the result is not filtered, sorted or made distinct and uses no window functions, the total is known without
      // reading all rows. Then stop (return false) after the last row that the result needs.
      return !(isAll && !where && total >= end);
    });
    if (isAll && !where) total = rows.count;
    const seek = (index: number): number => {
      windows.current = index;
      return rows.seek(chosen[index]!);
    };
    if (!windows.isEmpty) {
      computeWindows(chosen.length, seek);
      chosen.forEach((_, index) => {
        const at = seek(index);
        keys.forEach((key, k) => sorted[k]!.push(key(at)));
      });
    }
    const order = this.#sort(chosen.length, sorted, orders);
    const read = (index: number): QueryValue[] => evaluateRow(evals, seek(index));
    charge((isAll ? Math.min(order.length, end) : order.length) * evals.length);
    if (!this.#query.distinct) return { rows: order.slice(skip, end).map(read), total: this.#asked(total) };
    const different = distinct(order.map(read));
    return { rows: different.slice(skip, end), total: this.#asked(different.length) };
  }

  #sort(
    count: number,
    keys: readonly (readonly QueryValue[])[],
    orders: readonly { readonly descending: boolean }[],
  ): number[] {
    const order = Array.from({ length: count }, (_, at) => at);
    if (keys.length === 0) return order;
    charge(count * 16);
    const compare = compareRows(keys, orders);
    return order.sort((a, b) => compare(a, b) || a - b);
  }

  #argument(expression: Expression): CompiledArgument {
    const evaluate = compileExpression(expression, this.#scope);
    const place =
      expression.kind === 'column'
        ? this.#columns.find(expression.table, expression.name, expression.quoted)
        : undefined;
    return { evaluate, place };
  }

  #grouped(
    outputs: readonly OutputColumn[],
    orders: readonly SortKey[],
    groupBy: readonly Expression[],
    having: Expression | undefined,
    where: Evaluator | undefined,
  ): { rows: QueryValue[][]; total: number } {
    const all = [
      ...outputs.map(({ expression }) => expression),
      ...orders.map(({ expression }) => expression),
      ...(having ? [having] : []),
    ];
    const keyArguments = groupBy.map((one) => this.#argument(one));
    const calls = new Map<
      string,
      { call: Extract<Expression, { kind: 'call' }>; argument: CompiledArgument | undefined }
    >();
    for (const expression of all)
      for (const one of subexpressions(expression)) {
        if (!isAggregate(one)) continue;
        if (!one.star && one.args.length !== 1 && separatorOf(one) === undefined)
          throw new QueryError(`${one.name} takes one argument (got ${one.args.length})`);
        calls.set(expressionKey(one), { call: one, argument: one.star ? undefined : this.#argument(one.args[0]!) });
      }
    // Index of the group whose result row is being evaluated. Columns without an aggregate that are no GROUP BY key
    // take their value from the group's first row that satisfies WHERE.
    const group = { index: 0 };
    const aggregates = new Map<string, Aggregate>();
    const keys = new Map(groupBy.map((one, index) => [expressionKey(one), index]));
    const known = new Set([...groupBy, ...[...calls.values()].map(({ call }) => call)].map(countNodes));
    let groups: RowGroups | undefined;
    const grouped: NameScope = {
      ...this.#scope,
      computed: (expression) => {
        if (!known.has(countNodes(expression))) return undefined;
        const key = expressionKey(expression);
        const index = keys.get(key);
        if (index !== undefined) return () => groups!.key(group.index, index);
        if (calls.has(key)) return () => aggregates.get(key)!.result(group.index);
        return undefined;
      },
    };
    const windows = new WindowFunctions([...outputs, ...orders].map(({ expression }) => expression));
    const computeWindows = windows.prepare((one) => compileExpression(one, grouped));
    const scope = withWindows(grouped, windows);
    const evals = outputs.map(({ expression }) => compileExpression(expression, scope));
    const sortEvals = orders.map(({ expression }) => compileExpression(expression, scope));
    const keep = having && compileExpression(having, grouped);
    const rows = this.#rows();
    const argumentOf = ({ evaluate, place }: CompiledArgument): AggregateArgument => ({
      evaluate,
      view: place === undefined ? undefined : rows.views[place],
    });
    for (const [key, { call, argument }] of calls)
      aggregates.set(
        key,
        createAggregate(call.name, argument && argumentOf(argument), {
          distinct: call.distinct,
          text: this.#textOf,
          separator: separatorOf(call),
        }),
      );
    const found = new RowGroups(keyArguments.map((one) => new KeyEncoder(argumentOf(one), this.#textOf)));
    groups = found;
    const first = this.#gather(rows, found, [...aggregates.values()], where);
    if (groupBy.length === 0 && found.count === 0) found.assign(0, -1, 0);
    const kept: { index: number; row: number | undefined }[] = [];
    const moveTo = ({ index, row }: (typeof kept)[number]): number => {
      group.index = index;
      return row === undefined || rows.count === 0 ? 0 : rows.seek(row);
    };
    for (let index = 0; index < Math.max(found.count, groupBy.length === 0 ? 1 : 0); index++) {
      const row = first ? first[index] : found.first[index];
      if (row === undefined && groupBy.length > 0) continue;
      if (!keep || toBoolean(keep(moveTo({ index, row }))) === true) kept.push({ index, row });
    }
    charge(found.count * (evals.length + sortEvals.length));
    if (!windows.isEmpty) computeWindows(kept.length, (at) => moveTo(kept[at]!));
    const results = kept.map((one, position) => {
      windows.current = position;
      const at = moveTo(one);
      return { values: evaluateRow(evals, at), sort: evaluateRow(sortEvals, at) };
    });
    const order = this.#sort(
      results.length,
      sortEvals.map((_, k) => results.map(({ sort }) => sort[k]!)),
      orders,
    );
    const sorted = order.map((at) => results[at]!.values);
    const unique = this.#query.distinct ? distinct(sorted) : sorted;
    const { skip, end } = this.#slice();
    return { rows: unique.slice(skip, end), total: this.#asked(unique.length) };
  }

  /**
   * Assigns every row to its group, and adds the rows that satisfy `where` to the aggregates. Returns the first
   * satisfying row of each group. Without a `where` condition returns undefined; the first row of each group is then
   * used.
   */
  #gather(
    rows: RowSource,
    groups: RowGroups,
    aggregates: readonly Aggregate[],
    where: Evaluator | undefined,
  ): (number | undefined)[] | undefined {
    const firsts: (number | undefined)[] | undefined = where ? [] : undefined;
    let marks = new Uint8Array(1024);
    const quick = where || this.#columns.hasResults ? undefined : SumsByText.of(groups, aggregates);
    rows.each((start, to, row) => {
      const open = (at: number): void => {
        groups.assign(at, at, row + at - start);
        if (groups.isTooMany) throw tooManyGroups();
      };
      const from = quick ? quick.add(start, to, open) : start;
      if (from > to) return;
      const first = row + from - start;
      const slots = groups.assign(from, to, first);
      if (groups.isTooMany) throw tooManyGroups();
      let chosen: Uint8Array | undefined;
      if (where && firsts) {
        if (to >= marks.length) marks = new Uint8Array(to + 1);
        for (let at = from; at <= to; at++) {
          const holds = toBoolean(where(at)) === true;
          marks[at] = holds ? 1 : 0;
          if (holds) firsts[slots[at]!] ??= first + at - from;
        }
        chosen = marks;
      }
      for (const one of aggregates) one.add(from, to, slots, groups.count, chosen);
    });
    quick?.finish(groups.count);
    return firsts;
  }
}

/** Evaluates one result row and counts its memory toward the memory limit of the current call. */
function evaluateRow(evals: readonly Evaluator[], at: number): QueryValue[] {
  let bytes = 16 * evals.length;
  const values = evals.map((one) => {
    const value = one(at);
    if (typeof value === 'string') bytes += value.length;
    return value;
  });
  chargeMemory(bytes);
  return values;
}

function tooManyGroups(): QueryError {
  return new QueryError('group by gives more than 200000 groups');
}

/**
 * Returns the scope extended by the window functions: an expression that is compiled in it reads their values, which
 * are computed for all rows beforehand.
 */
function withWindows(scope: NameScope, windows: WindowFunctions): NameScope {
  return { ...scope, computed: (one) => windows.evaluator(one) ?? scope.computed(one) };
}

function nameOf(expression: Expression, text: string): string {
  return expression.kind === 'column' ? expression.name : text;
}

function distinct(rows: readonly QueryValue[][]): QueryValue[][] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = JSON.stringify(row).toLowerCase();
    chargeText(key.length);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
