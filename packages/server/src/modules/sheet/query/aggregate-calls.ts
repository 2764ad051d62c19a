import { aggregateNames, concatenatingNames } from './aggregates.ts';
import { subexpressions, type Expression } from './ast.ts';
import { QueryError } from './scanner.ts';

/** Returns whether an expression is an aggregate of a group. Window functions are not aggregates in this sense. */
export function isAggregate(one: Expression): one is Extract<Expression, { kind: 'call' }> {
  return one.kind === 'call' && !one.over && aggregateNames.has(one.name);
}

export function hasAggregate(expression: Expression): boolean {
  for (const one of subexpressions(expression)) if (isAggregate(one)) return true;
  return false;
}

/** Returns the separator that a call such as group_concat(x, '; ') specifies; undefined if it specifies none. */
export function separatorOf({ name, args }: Extract<Expression, { kind: 'call' }>): string | undefined {
  const second = args.length === 2 && concatenatingNames.has(name) ? args[1] : undefined;
  if (second === undefined) return undefined;
  if (second.kind === 'literal') return String(second.value ?? '');
  if (second.kind === 'column' && second.quoted) return second.name;
  throw new QueryError(`${name} takes the separator as a text, as in ${name}(x, '; ')`);
}
