import { charge, foldText } from '@sheaf/engine';
import { chargeMemory } from '@sheaf/engine/internal/document';
import type { Expression } from './ast.ts';
import type { Evaluator, NameScope } from './compile.ts';
import { toNumber, type QueryValue } from './query-value.ts';
import { QueryError } from './scanner.ts';

/**
 * Bytes and calculation steps for each value of a subquery's result. They count toward the limits of the current call.
 */
const bytesPerValue = 48;
const stepsPerValue = 24;

/** Compiles `arg in (select ...)`. The select runs only once. Blank values in its result are ignored. */
export function compileInQuery(
  { query, not }: Extract<Expression, { kind: 'inQuery' }>,
  arg: Evaluator,
  scope: NameScope,
): Evaluator {
  const { columns, rows } = scope.runQuery(query);
  if (columns.length !== 1) throw new QueryError(`in (select …) takes a select of one column (got ${columns.length})`);
  const values = new ValueSet(rows.map(([value]) => value ?? null));
  return (at) => {
    charge(1);
    const value = arg(at);
    return value === null ? null : values.has(value) !== not;
  };
}

/** Compiles a select in parentheses used as a value, or `exists (select ...)`. The select runs only once. */
export function compileSubquery(
  { query, exists }: Extract<Expression, { kind: 'subquery' }>,
  scope: NameScope,
): Evaluator {
  const { columns, rows, total } = scope.runQuery(query);
  if (exists) return () => total > 0;
  if (columns.length !== 1)
    throw new QueryError(`a select in parentheses gives one value; name one column (got ${columns.length})`);
  if (rows.length > 1)
    throw new QueryError(`a select in parentheses gives one value; use in (select …) or limit 1 (got ${total} rows)`);
  const value = rows[0]?.[0] ?? null;
  return () => value;
}

/**
 * A set of values that are compared as in formulas: texts case-insensitively, and numbers also with texts that look
 * like numbers.
 */
class ValueSet {
  readonly #numbers = new Set<number>();
  readonly #texts = new Set<string>();
  readonly #flags = new Set<boolean>();

  constructor(values: readonly QueryValue[]) {
    chargeMemory(values.length * bytesPerValue);
    charge(values.length * stepsPerValue);
    for (const value of values) {
      if (typeof value === 'boolean') this.#flags.add(value);
      else if (typeof value === 'number') this.#numbers.add(value);
      else if (value !== null) {
        this.#texts.add(foldText(value));
        const number = toNumber(value);
        if (number !== null) this.#numbers.add(number);
      }
    }
  }

  has(value: Exclude<QueryValue, null>): boolean {
    if (typeof value === 'boolean') return this.#flags.has(value);
    if (typeof value === 'number') return this.#numbers.has(value);
    if (this.#texts.has(foldText(value))) return true;
    const number = toNumber(value);
    return number !== null && this.#numbers.has(number);
  }
}
