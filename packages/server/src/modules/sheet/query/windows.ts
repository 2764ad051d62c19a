import { charge } from '@sheaf/engine';
import { chargeMemory, chargeText } from '@sheaf/engine/internal/document';
import { expressionKey, subexpressions, type Expression, type SortKey } from './ast.ts';
import type { Evaluator } from './compile.ts';
import { compareForSort, isBlank, toNumber, type QueryValue } from './query-value.ts';
import { QueryError } from './scanner.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/**
 * Rows of one partition of a window function, in the window's order. `args` holds the values of each argument by row
 * index. `isPeer` returns whether the rows at two positions in `rows` have equal sort keys.
 */
interface Partition {
  readonly rows: readonly number[];
  readonly args: readonly (readonly QueryValue[])[];
  isPeer(at: number, other: number): boolean;
  readonly isOrdered: boolean;
}

/** Function that returns the values of a window function for all rows of a partition. */
type WindowFunction = (partition: Partition) => QueryValue[];

const ranks: Readonly<Record<string, WindowFunction>> = {
  row_number: ({ rows }) => rows.map((_, at) => at + 1),
  rank: (partition) => ranked(partition, (at) => at + 1),
  dense_rank: (partition) => ranked(partition, (_, groups) => groups),
  ntile: ({ rows, args }) => {
    const parts = Math.max(1, Math.trunc(toNumber(args[0]?.[rows[0]!] ?? null) ?? 1));
    const [size, rest] = [Math.floor(rows.length / parts), rows.length % parts];
    return rows.map((_, at) => {
      const long = rest * (size + 1);
      return at < long ? Math.floor(at / (size + 1)) + 1 : rest + Math.floor((at - long) / Math.max(1, size)) + 1;
    });
  },
  lag: (partition) => shifted(partition, -1),
  lead: (partition) => shifted(partition, 1),
  first_value: ({ rows, args }) => rows.map(() => args[0]?.[rows[0]!] ?? null),
  last_value: ({ rows, args }) => rows.map(() => args[0]?.[rows.at(-1)!] ?? null),
};

/**
 * Aggregates as window functions. Each entry creates an accumulator, which takes the values in order and returns the
 * aggregate of all values so far.
 */
const running: Readonly<Record<string, () => (value: QueryValue) => QueryValue>> = {
  count: () => counting((count) => count),
  sum: () => counting((_, sum) => sum),
  avg: () => counting((_, sum, numbers) => (numbers === 0 ? null : sum / numbers)),
  min: () => extreme(-1),
  max: () => extreme(1),
};

const synonyms: Readonly<Record<string, string>> = { total: 'sum', average: 'avg' };

/** Names of functions that require an `over (...)` clause. */
export const windowNames: ReadonlySet<string> = new Set(Object.keys(ranks));

/**
 * Calculation steps for sorting and numbering a row, and for each value evaluated for the row. They count toward the
 * limit of the current call.
 */
const stepsPerRow = 48;
const stepsPerValue = 4;

/**
 * Window functions in a query's SELECT and ORDER BY clauses. Their values are computed after the rows of the result are
 * determined, because each value may depend on all of these rows.
 */
export class WindowFunctions {
  readonly #calls = new Map<string, { readonly call: Call; values: QueryValue[] }>();
  /** Index of the row for which the evaluators currently return the values of the window functions. */
  current = 0;

  constructor(expressions: readonly Expression[]) {
    for (const expression of expressions)
      for (const one of subexpressions(expression))
        if (one.kind === 'call' && one.over) this.#calls.set(expressionKey(one), { call: one, values: [] });
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** Returns an evaluator of a window function for the current row; undefined for other expressions. */
  evaluator(expression: Expression): Evaluator | undefined {
    if (expression.kind !== 'call' || !expression.over) return undefined;
    const found = this.#calls.get(expressionKey(expression));
    return found && (() => found.values[this.current] ?? null);
  }

  /**
   * Compiles the arguments and sort keys of the window functions. Returns a function that computes the values of the
   * window functions for `count` rows. It calls `moveTo` to load a row; `moveTo` returns the row's index in the loaded
   * block.
   */
  prepare(compile: (expression: Expression) => Evaluator): (count: number, moveTo: (row: number) => number) => void {
    const ready = [...this.#calls.values()].map((entry) => {
      const { args, over, star, name } = entry.call;
      const compute = windowFunction(entry.call);
      if (!star && args.length === 0 && running[synonyms[name] ?? name])
        throw new QueryError(`${name} takes an argument`);
      return {
        entry,
        compute,
        args: args.map(compile),
        partitionBy: over!.partitionBy.map(compile),
        keys: over!.orderBy.map(({ expression }) => compile(expression)),
        orderBy: over!.orderBy,
      };
    });
    return (count, moveTo) => {
      for (const { entry, compute, args, partitionBy, keys, orderBy } of ready) {
        const evals = [...args, ...partitionBy, ...keys];
        chargeMemory(16 * count * (evals.length + 2));
        charge(count * (stepsPerRow + stepsPerValue * evals.length));
        const columns: QueryValue[][] = evals.map(() => []);
        for (let row = 0; row < count; row++) {
          const at = moveTo(row);
          evals.forEach((one, index) => columns[index]!.push(one(at)));
        }
        const argValues = columns.slice(0, args.length);
        const partitionValues = columns.slice(args.length, args.length + partitionBy.length);
        const keyValues = columns.slice(args.length + partitionBy.length);
        entry.values = Array.from({ length: count }, () => null);
        const compare = compareRows(keyValues, orderBy);
        for (const rows of partitionsOf(count, partitionValues)) {
          if (orderBy.length > 0) rows.sort((a, b) => compare(a, b) || a - b);
          const isPeer = (at: number, other: number): boolean => compare(rows[at]!, rows[other]!) === 0;
          const found = compute({ rows, args: argValues, isPeer, isOrdered: orderBy.length > 0 });
          rows.forEach((row, at) => (entry.values[row] = found[at]!));
        }
      }
    };
  }
}

function windowFunction({ name, distinct }: Call): WindowFunction {
  const rank = Object.hasOwn(ranks, name) ? ranks[name] : undefined;
  if (rank) return rank;
  const own = synonyms[name] ?? name;
  const create = Object.hasOwn(running, own) ? running[own] : undefined;
  if (!create || distinct)
    throw new QueryError(
      `${name}${distinct ? ' distinct' : ''} over (…) is not known; there are ` +
        [...Object.keys(ranks), ...Object.keys(running)].join(', '),
    );
  return (partition) => accumulated(partition, create());
}

/**
 * Returns the aggregate of all rows up to each row, or of all rows if the window has no order. Rows with equal sort
 * keys all get the value of the last row among them.
 */
function accumulated(
  { rows, args, isPeer, isOrdered }: Partition,
  add: (value: QueryValue) => QueryValue,
): QueryValue[] {
  const values = rows.map((row) => add(args.length === 0 ? true : (args[0]![row] ?? null)));
  for (let at = rows.length - 2; at >= 0; at--) if (!isOrdered || isPeer(at, at + 1)) values[at] = values[at + 1]!;
  return values;
}

function ranked({ rows, isPeer }: Partition, rankOf: (at: number, groups: number) => number): QueryValue[] {
  let groups = 0;
  let rank = 0;
  return rows.map((_, at) => {
    if (at === 0 || !isPeer(at - 1, at)) rank = rankOf(at, ++groups);
    return rank;
  });
}

function shifted({ rows, args }: Partition, direction: 1 | -1): QueryValue[] {
  return rows.map((row, at) => {
    const by = args[1] ? Math.trunc(toNumber(args[1][row] ?? null) ?? 1) : 1;
    const from = rows[at + direction * by];
    return from === undefined ? (args[2]?.[row] ?? null) : (args[0]?.[from] ?? null);
  });
}

function counting(
  result: (count: number, sum: number, numbers: number) => QueryValue,
): (value: QueryValue) => QueryValue {
  let [count, sum, numbers] = [0, 0, 0];
  return (value) => {
    if (!isBlank(value)) count++;
    if (typeof value === 'number') {
      sum += value;
      numbers++;
    }
    return result(count, sum, numbers);
  };
}

function extreme(sign: 1 | -1): (value: QueryValue) => QueryValue {
  let best: QueryValue = null;
  return (value) => {
    if (value !== null && (best === null || Math.sign(compareForSort(value, best)) === sign)) best = value;
    return best;
  };
}

function partitionsOf(count: number, keys: readonly (readonly QueryValue[])[]): number[][] {
  if (keys.length === 0) return count === 0 ? [] : [Array.from({ length: count }, (_, row) => row)];
  const found = new Map<string, number[]>();
  for (let row = 0; row < count; row++) {
    const key = JSON.stringify(keys.map((column) => column[row])).toLowerCase();
    chargeText(key.length);
    const rows = found.get(key);
    if (rows) rows.push(row);
    else found.set(key, [row]);
  }
  return [...found.values()];
}

/**
 * Returns a function that compares two rows, given by their index, by their sort keys. Blanks come last in both
 * directions.
 */
export function compareRows(
  keys: readonly (readonly QueryValue[])[],
  orders: readonly Pick<SortKey, 'descending'>[],
): (a: number, b: number) => number {
  return (a, b) => {
    for (let k = 0; k < keys.length; k++) {
      const [one, other] = [keys[k]![a]!, keys[k]![b]!];
      if (one === null || other === null) {
        if (one !== other) return one === null ? 1 : -1;
        continue;
      }
      const difference = compareForSort(one, other);
      if (difference !== 0) return orders[k]!.descending ? -difference : difference;
    }
    return 0;
  };
}
