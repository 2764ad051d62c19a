import { charge, foldText } from '@sheaf/engine';
import { BadPattern, chargeText, matcherOf } from '@sheaf/engine/internal/document';
import type { Expression, Query } from './ast.ts';
import { aggregateNames } from './aggregates.ts';
import type { QueryResult } from './query-result.ts';
import { compileInQuery, compileSubquery } from './subqueries.ts';
import { functionHint } from './unsupported-sql.ts';
import { windowNames } from './windows.ts';
import { scalarFunctions } from './scalar-functions.ts';
import { QueryError } from './scanner.ts';
import { concatenateValues } from './concatenate-values.ts';
import { compareValues, isBlank, toNumber, areEqual, toText, toBoolean, type QueryValue } from './query-value.ts';

/**
 * Evaluates an expression for one row. `at` is the index of the row in the current column blocks. Blank cells and
 * errors give null.
 */
export type Evaluator = (at: number) => QueryValue;

export interface NameScope {
  /**
   * Returns an evaluator that reads the column; undefined if there is no such column. A name in double quotes is never
   * read as a column letter.
   */
  column(table: string | undefined, name: string, quoted: boolean): Evaluator | undefined;
  /**
   * Returns an evaluator of an expression that is already computed, such as a group key or an aggregate; undefined for
   * other expressions.
   */
  computed(expression: Expression): Evaluator | undefined;
  /** Runs a select in parentheses. It can refer only to its own tables. */
  runQuery(query: Query): QueryResult;
  /** Returns an evaluator of a style function such as `bold(A)`; undefined if there is no such function. */
  style(name: string, args: readonly Expression[]): Evaluator | undefined;
  /** Returns the error message for an unknown column. It lists the known columns. */
  unknownColumnMessage(name: string): string;
}

/**
 * Steps charged to the call's budget per compiled node of an expression. Compiling is charged because an alias may
 * repeat a long expression many times.
 */
const stepsPerNode = 32;

export function compileExpression(expression: Expression, scope: NameScope): Evaluator {
  charge(stepsPerNode);
  const known = scope.computed(expression);
  if (known) return known;
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression;
      return () => value;
    }
    case 'column': {
      const found = scope.column(expression.table, expression.name, expression.quoted);
      if (found) return found;
      if (expression.quoted) return () => expression.name;
      throw new QueryError(scope.unknownColumnMessage(expression.name));
    }
    case 'unary': {
      const arg = compileExpression(expression.arg, scope);
      if (expression.op === '-') return (at) => negated(arg(at));
      return (at) => {
        const value = toBoolean(arg(at));
        return value === null ? null : !value;
      };
    }
    case 'binary':
      return binary(expression, scope);
    case 'isNull': {
      const arg = compileExpression(expression.arg, scope);
      const { not } = expression;
      return (at) => isBlank(arg(at)) !== not;
    }
    case 'in': {
      const arg = compileExpression(expression.arg, scope);
      const list = expression.list.map((one) => compileExpression(one, scope));
      const { not } = expression;
      return (at) => {
        const value = arg(at);
        charge(list.length);
        return value === null ? null : list.some((one) => areEqual(value, one(at))) !== not;
      };
    }
    case 'inQuery':
      return compileInQuery(expression, compileExpression(expression.arg, scope), scope);
    case 'subquery':
      return compileSubquery(expression, scope);
    case 'like':
      return like(expression, scope);
    case 'case': {
      const whens = expression.whens.map(({ when, result }) => ({
        when: compileExpression(when, scope),
        result: compileExpression(result, scope),
      }));
      const otherwise = expression.otherwise && compileExpression(expression.otherwise, scope);
      return (at) => {
        charge(whens.length);
        for (const { when, result } of whens) if (toBoolean(when(at)) === true) return result(at);
        return otherwise ? otherwise(at) : null;
      };
    }
    case 'call':
      return call(expression, scope);
  }
}

function call(expression: Extract<Expression, { kind: 'call' }>, scope: NameScope): Evaluator {
  const style = expression.over ? undefined : scope.style(expression.name, expression.args);
  if (style) return style;
  const found = Object.hasOwn(scalarFunctions, expression.name) ? scalarFunctions[expression.name] : undefined;
  if (!found || expression.over) throw new QueryError(refusalOf(expression));
  const { least, most, apply } = found;
  const args = expression.args.map((one) => compileExpression(one, scope));
  if (args.length < least || args.length > most)
    throw new QueryError(
      `${expression.name} takes ${least === most ? least : `${least} to ${most}`} arguments (got ${args.length})`,
    );
  return (at) => {
    charge(1 + args.length);
    return apply(args.map((one) => one(at)));
  };
}

function refusalOf({ name, over }: Extract<Expression, { kind: 'call' }>): string {
  if (over)
    return `${name}() over (…) cannot stand here; put it into a derived table: select * from (select …, ${name}() over (…) as n from …) t where …`;
  if (windowNames.has(name)) return `${name}() needs over (order by …)`;
  if (aggregateNames.has(name)) return `${name} cannot stand here; where takes no aggregate, having does`;
  return `there is no function ${name}, or it cannot stand here${functionHint(name)}`;
}

function binary(expression: Extract<Expression, { kind: 'binary' }>, scope: NameScope): Evaluator {
  const left = compileExpression(expression.left, scope);
  const right = compileExpression(expression.right, scope);
  switch (expression.op) {
    case 'and':
      return connecting(left, right, false);
    case 'or':
      return connecting(left, right, true);
    case '||':
      return (at) => {
        const [one, other] = [left(at), right(at)];
        return one === null || other === null ? null : concatenateValues([one, other], '');
      };
    default: {
      const calculate = calculations[expression.op];
      return calculate ? calculating(left, right, calculate) : comparing(left, right, comparisons[expression.op]!);
    }
  }
}

/**
 * Combines two conditions with AND (`decisive` is false) or OR (`decisive` is true). The result is `decisive` if one
 * side is equal to it, even if the other side is null.
 */
function connecting(left: Evaluator, right: Evaluator, decisive: boolean): Evaluator {
  return (at) => {
    charge(1);
    const one = toBoolean(left(at));
    if (one === decisive) return decisive;
    const other = toBoolean(right(at));
    if (other === decisive) return decisive;
    return one === null || other === null ? null : !decisive;
  };
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const calculations: Readonly<Record<string, (a: number, b: number) => number | null>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? null : a / b),
  '%': (a, b) => (b === 0 ? null : a % b),
};

function comparing(left: Evaluator, right: Evaluator, holds: (order: number) => boolean): Evaluator {
  return (at) => {
    charge(1);
    const one = left(at);
    const other = right(at);
    if (one === null || other === null) return null;
    if (typeof one === 'number' && typeof other === 'number') return holds(one - other);
    return holds(compareValues(one, other));
  };
}

function calculating(left: Evaluator, right: Evaluator, apply: (a: number, b: number) => number | null): Evaluator {
  return (at) => {
    charge(1);
    const one = toNumber(left(at));
    const other = toNumber(right(at));
    if (one === null || other === null) return null;
    const result = apply(one, other);
    return result === null || Number.isFinite(result) ? result : null;
  };
}

function negated(value: QueryValue): QueryValue {
  const number = toNumber(value);
  return number === null ? null : -number;
}

/** Compiles the case-insensitive LIKE: `%` matches any text, and `_` matches one character. */
function like(expression: Extract<Expression, { kind: 'like' }>, scope: NameScope): Evaluator {
  const arg = compileExpression(expression.arg, scope);
  const pattern = compileExpression(expression.pattern, scope);
  const { not } = expression;
  let last = '';
  let matches: ((text: string) => boolean) | undefined;
  return (at) => {
    const value = arg(at);
    const given = pattern(at);
    if (value === null || given === null) return null;
    const wanted = toText(given);
    if (!matches || wanted !== last) {
      chargeText(wanted.length);
      last = wanted;
      const regex = foldText(wanted)
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('%', '.*')
        .replaceAll('_', '.');
      matches = likeMatcher(`(?s)${regex}`);
    }
    return matches(foldText(toText(value))) !== not;
  };
}

function likeMatcher(term: string): (text: string) => boolean {
  try {
    return matcherOf({ term, regex: true, entireCell: true });
  } catch (error) {
    if (!(error instanceof BadPattern)) throw error;
    throw new QueryError(`like: ${error.message}, each of . * + ? ^ $ { } ( ) | [ ] \\ counted twice`);
  }
}
