export type Expression =
  | { readonly kind: 'literal'; readonly value: number | string | boolean | null }
  /** A column name. A name in double quotes (`quoted`) is a text literal if no column has this name. */
  | { readonly kind: 'column'; readonly table: string | undefined; readonly name: string; readonly quoted: boolean }
  | { readonly kind: 'unary'; readonly op: '-' | 'not'; readonly arg: Expression }
  | { readonly kind: 'binary'; readonly op: BinaryOp; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      readonly distinct: boolean;
      readonly star: boolean;
      /** Set for a window function: `over (partition by ... order by ...)`. */
      readonly over?: WindowClause;
    }
  | {
      readonly kind: 'case';
      readonly whens: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | undefined;
    }
  | { readonly kind: 'in'; readonly arg: Expression; readonly list: readonly Expression[]; readonly not: boolean }
  /** The condition `arg in (select ...)`. */
  | { readonly kind: 'inQuery'; readonly arg: Expression; readonly query: Query; readonly not: boolean }
  /** A select in parentheses used as a value, or `exists (select ...)`. It can refer only to its own tables. */
  | { readonly kind: 'subquery'; readonly query: Query; readonly exists: boolean }
  | { readonly kind: 'like'; readonly arg: Expression; readonly pattern: Expression; readonly not: boolean }
  | { readonly kind: 'isNull'; readonly arg: Expression; readonly not: boolean };

export type BinaryOp = '+' | '-' | '*' | '/' | '%' | '||' | '=' | '<>' | '<' | '<=' | '>' | '>=' | 'and' | 'or';

export interface WindowClause {
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortKey[];
}

export interface TableSource {
  /** Address of the table's cells; empty for a derived table. */
  readonly address: string;
  readonly alias: string | undefined;
  /** Query of a derived table: the select of `from (select ...) t`. */
  readonly query?: Query;
}

export interface JoinClause {
  readonly kind: 'inner' | 'left';
  readonly source: TableSource;
  readonly on: Expression;
}

export interface SelectItem {
  /** Expression of the result column. Undefined for all columns (`*`), or for all columns of one table (`t.*`). */
  readonly expression: Expression | undefined;
  readonly table?: string;
  readonly alias: string | undefined;
  /** Source text of the item in the query, such as `sum(price)`. */
  readonly text: string;
}

export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface NamedQuery {
  readonly name: string;
  readonly query: Query;
}

export interface Query {
  /** Queries named in a `with` clause. Later named queries and the query itself may read their results. */
  readonly named: readonly NamedQuery[];
  readonly select: readonly SelectItem[];
  readonly distinct: boolean;
  readonly from: TableSource;
  readonly joins: readonly JoinClause[];
  readonly where: Expression | undefined;
  readonly groupBy: readonly Expression[];
  readonly having: Expression | undefined;
  readonly orderBy: readonly SortKey[];
  readonly limit: number | undefined;
  readonly offset: number;
}

/**
 * Returns a text that is equal for expressions that differ only in the case of names. Used to find expressions that the
 * query has already computed, such as group keys.
 */
export function expressionKey(expression: Expression): string {
  return JSON.stringify(expression, (field, value: unknown) =>
    typeof value === 'string' && field !== 'value' ? value.toLowerCase() : value,
  );
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
    case 'isNull':
      return [expression.arg];
    case 'binary':
      return [expression.left, expression.right];
    case 'call':
      return expression.over
        ? [...expression.args, ...expression.over.partitionBy, ...expression.over.orderBy.map((one) => one.expression)]
        : expression.args;
    case 'inQuery':
      return [expression.arg];
    case 'case':
      return [
        ...expression.whens.flatMap(({ when, result }) => [when, result]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
    case 'in':
      return [expression.arg, ...expression.list];
    case 'like':
      return [expression.arg, expression.pattern];
    default:
      return [];
  }
}

/**
 * Yields an expression and all its subexpressions. Uses a loop instead of recursion, because chains of operators can be
 * long.
 */
export function* subexpressions(expression: Expression): Generator<Expression> {
  const open = [expression];
  for (let one = open.pop(); one; one = open.pop()) {
    yield one;
    open.push(...childrenOf(one).toReversed());
  }
}

const sizes = new WeakMap<Expression, number>();

/**
 * Returns the number of nodes of an expression, from a cache. Used to skip comparisons of expressions of different
 * size.
 */
export function countNodes(expression: Expression): number {
  let size = sizes.get(expression);
  if (size === undefined) {
    size = childrenOf(expression).reduce((sum, one) => sum + countNodes(one), 1);
    sizes.set(expression, size);
  }
  return size;
}
