import { blankTag, errorTag, numberTag } from '@sheaf/engine/internal/document';
import { KeyEncoder, type AggregateArgument, type StringLookup } from './group-by.ts';
import type { ColumnBlock } from './row-sources.ts';
import { concatenateValues } from './concatenate-values.ts';
import { compareValues, type QueryValue } from './query-value.ts';

export interface Aggregate {
  /**
   * Adds the rows from `from` to `to` of the current block to their groups. `slots` has the group number of each row,
   * and `groups` is the number of groups so far. If `chosen` is given, only the rows marked with 1 in it are added.
   */
  add(from: number, to: number, slots: Int32Array, groups: number, chosen: Uint8Array | undefined): void;
  result(group: number): QueryValue;
}

/** Names of the aggregates that join values to one text. */
export const concatenatingNames: ReadonlySet<string> = new Set(['group_concat', 'string_agg', 'listagg']);

export const aggregateNames: ReadonlySet<string> = new Set([
  ...'count sum total avg average min max median stdev'.split(' '),
  ...concatenatingNames,
]);

interface AggregateOptions {
  readonly distinct: boolean;
  readonly text: StringLookup;
  /** Text between joined values, such as a comma. */
  readonly separator: string | undefined;
}

export function createAggregate(
  name: string,
  argument: AggregateArgument | undefined,
  { distinct, text, separator }: AggregateOptions,
): Aggregate {
  if (!argument) return new Count();
  // `distinct` does not change the minimum and the maximum.
  if (distinct && name !== 'min' && name !== 'max')
    return new CollectingAggregate(argument, name, separator, new KeyEncoder(argument, text));
  switch (name) {
    case 'count':
      return new Count(argument);
    case 'sum':
    case 'total':
      return new SumAggregate(argument, false);
    case 'avg':
    case 'average':
      return new SumAggregate(argument, true);
    case 'min':
      return new MinMax(argument, -1);
    case 'max':
      return new MinMax(argument, 1);
    default:
      return new CollectingAggregate(argument, name, separator);
  }
}

function growTo(list: Float64Array<ArrayBuffer>, groups: number): Float64Array<ArrayBuffer> {
  if (groups <= list.length) return list;
  const larger = new Float64Array(Math.max(groups, list.length * 2));
  larger.set(list);
  return larger;
}

/** Counts rows per group. With an argument, counts only rows where the argument is not null. */
class Count implements Aggregate {
  readonly #argument: AggregateArgument | undefined;
  #counts = new Float64Array(64);

  constructor(argument?: AggregateArgument) {
    this.#argument = argument;
  }

  add(from: number, to: number, slots: Int32Array, groups: number, chosen: Uint8Array | undefined): void {
    const counts = (this.#counts = growTo(this.#counts, groups));
    const argument = this.#argument;
    const tags = argument?.view?.tags;
    for (let at = from; at <= to; at++) {
      if (chosen && chosen[at] !== 1) continue;
      const isThere = tags
        ? tags[at] !== blankTag && tags[at] !== errorTag
        : !argument || argument.evaluate(at) !== null;
      if (isThere) counts[slots[at]!]!++;
    }
  }

  result(group: number): QueryValue {
    return this.#counts[group] ?? 0;
  }
}

export class SumAggregate implements Aggregate {
  readonly #argument: AggregateArgument;
  readonly #isAverage: boolean;
  #sums = new Float64Array(64);
  #counts = new Float64Array(64);

  constructor(argument: AggregateArgument, isAverage: boolean) {
    this.#argument = argument;
    this.#isAverage = isAverage;
  }

  /**
   * Cells of the summed column, one block of rows at a time, for the faster algorithm of SumsByText. Undefined if that
   * algorithm does not apply, because the argument is not a plain column or the aggregate is an average.
   */
  get view(): ColumnBlock | undefined {
    return this.#isAverage ? undefined : this.#argument.view;
  }

  sumsFor(groups: number): Float64Array {
    this.#sums = growTo(this.#sums, groups);
    return this.#sums;
  }

  add(from: number, to: number, slots: Int32Array, groups: number, chosen: Uint8Array | undefined): void {
    this.#sums = growTo(this.#sums, groups);
    this.#counts = growTo(this.#counts, groups);
    const { view, evaluate } = this.#argument;
    if (view && !chosen && !this.#isAverage) this.#addAll(view, from, to, slots);
    else {
      const sums = this.#sums;
      const counts = this.#counts;
      for (let at = from; at <= to; at++) {
        if (chosen && chosen[at] !== 1) continue;
        const value = view ? (view.tags[at] === numberTag ? view.nums[at]! : null) : evaluate(at);
        if (typeof value !== 'number') continue;
        const slot = slots[at]!;
        sums[slot]! += value;
        counts[slot]!++;
      }
    }
  }

  /** Adds all rows of a block to the sums. This is the hot loop for large tables, so it uses only array accesses. */
  #addAll({ tags, nums }: ColumnBlock, from: number, to: number, slots: Int32Array): void {
    const sums = this.#sums;
    for (let at = from; at <= to; at++) if (tags[at] === numberTag) sums[slots[at]!]! += nums[at]!;
  }

  result(group: number): QueryValue {
    const sum = this.#sums[group] ?? 0;
    if (!this.#isAverage) return sum;
    const count = this.#counts[group] ?? 0;
    return count === 0 ? null : sum / count;
  }
}

class MinMax implements Aggregate {
  readonly #argument: AggregateArgument;
  readonly #sign: 1 | -1;
  readonly #best: QueryValue[] = [];

  constructor(argument: AggregateArgument, sign: 1 | -1) {
    this.#argument = argument;
    this.#sign = sign;
  }

  add(from: number, to: number, slots: Int32Array, _: number, chosen: Uint8Array | undefined): void {
    const { view, evaluate } = this.#argument;
    for (let at = from; at <= to; at++) {
      if (chosen && chosen[at] !== 1) continue;
      const value = view && view.tags[at] === numberTag ? view.nums[at]! : evaluate(at);
      if (value === null) continue;
      const slot = slots[at]!;
      const best = this.#best[slot] ?? null;
      if (best === null || Math.sign(compareValues(value, best)) === this.#sign) this.#best[slot] = value;
    }
  }

  result(group: number): QueryValue {
    return this.#best[group] ?? null;
  }
}

/**
 * Aggregate that collects the values of each group and computes its result from all of them, such as a median, or an
 * aggregate of distinct values.
 */
class CollectingAggregate implements Aggregate {
  readonly #argument: AggregateArgument;
  readonly #name: string;
  readonly #separator: string;
  readonly #distinct: KeyEncoder | undefined;
  readonly #seen: Set<number>[] = [];
  readonly #values: QueryValue[][] = [];

  constructor(argument: AggregateArgument, name: string, separator = ', ', distinct?: KeyEncoder) {
    this.#argument = argument;
    this.#name = name;
    this.#separator = separator;
    this.#distinct = distinct;
  }

  add(from: number, to: number, slots: Int32Array, _: number, chosen: Uint8Array | undefined): void {
    for (let at = from; at <= to; at++) {
      if (chosen && chosen[at] !== 1) continue;
      const value = this.#argument.evaluate(at);
      if (value !== null) this.#collect(slots[at]!, value);
    }
  }

  #collect(slot: number, value: QueryValue): void {
    const values = (this.#values[slot] ??= []);
    if (!this.#distinct) {
      values.push(value);
      return;
    }
    const seen = (this.#seen[slot] ??= new Set());
    const code = this.#distinct.codeOf(value);
    if (seen.has(code)) return;
    seen.add(code);
    values.push(this.#distinct.values[code]!);
  }

  result(group: number): QueryValue {
    const values = this.#values[group] ?? [];
    if (concatenatingNames.has(this.#name)) return concatenateValues(values, this.#separator);
    return computeFromValues(this.#name, values);
  }
}

function computeFromValues(name: string, values: readonly QueryValue[]): QueryValue {
  const numbers = values.filter((one) => typeof one === 'number').sort((a, b) => a - b);
  const sum = numbers.reduce((total, one) => total + one, 0);
  const { length } = numbers;
  switch (name) {
    case 'count':
      return values.length;
    case 'sum':
    case 'total':
      return sum;
    case 'avg':
    case 'average':
      return length === 0 ? null : sum / length;
    case 'median':
      return length === 0 ? null : (numbers[(length - 1) >> 1]! + numbers[length >> 1]!) / 2;
    default: {
      if (length < 2) return null;
      const mean = sum / length;
      return Math.sqrt(numbers.reduce((total, one) => total + (one - mean) ** 2, 0) / (length - 1));
    }
  }
}
