import { blankTag, logicalTag, numberTag, textTag, errorTag } from '../engine/document.ts';
import { foldText } from '../engine/index.ts';
import type { Eval } from './compile.ts';
import type { ColumnView } from './rows.ts';
import { compare, textOf, type Plain } from './values.ts';

/** What an expression reads where it is a column as it stands: then whole blocks are gone through without asking row by row. */
export interface Argument {
  readonly evaluate: Eval;
  readonly view: ColumnView | undefined;
}

type TextOf = (id: number) => string;

const maxGroups = 200_000;

/** Numbers the different values of a key, the same number for texts that differ in case only. */
export class Coder {
  readonly values: Plain[] = [];
  readonly #argument: Argument;
  readonly #textOf: TextOf;
  readonly #texts = new Map<string, number>();
  readonly #numbers = new Map<number, number>();
  /** Code of each text id plus 1. */
  #byId = new Int32Array(1024);
  #blank = -1;
  #flags = [-1, -1];

  constructor(argument: Argument, text: TextOf) {
    this.#argument = argument;
    this.#textOf = text;
  }

  /** The column that the key is as it stands. */
  get view(): ColumnView | undefined {
    return this.#argument.view;
  }

  /** For each id of a text its code plus 1; 0, or past the end, where it is not known yet. */
  get codesById(): Int32Array {
    return this.#byId;
  }

  encode(from: number, to: number, codes: Int32Array): void {
    const { view, evaluate } = this.#argument;
    if (!view) {
      for (let at = from; at <= to; at++) codes[at] = this.codeOf(evaluate(at));
      return;
    }
    const { tags, nums } = view;
    let byId = this.#byId;
    for (let at = from; at <= to; at++) {
      if (tags[at] === textTag) {
        const id = nums[at]!;
        const known = id < byId.length ? byId[id]! : 0;
        if (known !== 0) codes[at] = known - 1;
        else {
          codes[at] = this.#textId(id);
          byId = this.#byId;
        }
      } else codes[at] = this.#other(tags[at]!, nums[at]!);
    }
  }

  #textId(id: number): number {
    if (id >= this.#byId.length) {
      const grown = new Int32Array(Math.max(id + 1, this.#byId.length * 2));
      grown.set(this.#byId);
      this.#byId = grown;
    }
    const code = this.codeOf(this.#textOf(id));
    this.#byId[id] = code + 1;
    return code;
  }

  #other(tag: number, num: number): number {
    return this.codeOf(tag === numberTag ? num : tag === logicalTag ? num === 1 : null);
  }

  codeOf(value: Plain): number {
    if (typeof value === 'number') return this.#known(this.#numbers, value, value);
    if (typeof value === 'string') return this.#known(this.#texts, foldText(value), value);
    if (value === null) return (this.#blank = this.#blank < 0 ? this.#add(null) : this.#blank);
    const at = value ? 1 : 0;
    if (this.#flags[at]! < 0) this.#flags[at] = this.#add(value);
    return this.#flags[at]!;
  }

  #known<Key>(codes: Map<Key, number>, key: Key, value: Plain): number {
    let code = codes.get(key);
    if (code === undefined) {
      code = this.#add(value);
      codes.set(key, code);
    }
    return code;
  }

  #add(value: Plain): number {
    return this.values.push(value) - 1;
  }
}

/** Groups of rows by any number of keys. */
export class Groups {
  readonly coders: readonly Coder[];
  /** For each group, the codes of its keys. */
  readonly codes: number[][] = [];
  /** The first row of each group. */
  readonly first: number[] = [];
  readonly #pairs = new Map<string, number>();
  readonly #buffers: Int32Array[];
  #slots = new Int32Array(1024);

  constructor(coders: readonly Coder[]) {
    this.coders = coders;
    this.#buffers = coders.map(() => new Int32Array(1024));
  }

  get count(): number {
    return this.first.length;
  }

  get isTooMany(): boolean {
    return this.first.length > maxGroups;
  }

  /** The group of each row of a block. `start` is the row at `from`. */
  assign(from: number, to: number, start: number): Int32Array {
    if (to >= this.#slots.length) {
      this.#slots = new Int32Array(to + 1);
      this.#buffers.forEach((_, index) => (this.#buffers[index] = new Int32Array(to + 1)));
    }
    if (this.coders.length === 0) {
      if (this.first.length === 0) this.#open([], start);
      this.#slots.fill(0, from, to + 1);
      return this.#slots;
    }
    if (this.coders.length === 1) {
      const [coder] = this.coders;
      coder!.encode(from, to, this.#slots);
      // Codes are given in order: a row with a new one is the first of its group.
      if (this.first.length < coder!.values.length)
        for (let at = from; at <= to && this.first.length < coder!.values.length; at++)
          if (this.first.length === this.#slots[at]) this.#open([this.first.length], start + at - from);
      return this.#slots;
    }
    this.coders.forEach((coder, index) => coder.encode(from, to, this.#buffers[index]!));
    for (let at = from; at <= to; at++) {
      let key = '';
      for (const buffer of this.#buffers) key += `${buffer[at]!} `;
      let slot = this.#pairs.get(key);
      if (slot === undefined) {
        slot = this.#open(
          this.#buffers.map((buffer) => buffer[at]!),
          start + at - from,
        );
        this.#pairs.set(key, slot);
      }
      this.#slots[at] = slot;
    }
    return this.#slots;
  }

  #open(codes: number[], row: number): number {
    this.codes.push(codes);
    return this.first.push(row) - 1;
  }

  key(group: number, index: number): Plain {
    return this.coders[index]!.values[this.codes[group]![index]!]!;
  }
}

/** What is made of the values of a group. */
export interface Aggregate {
  /** Rows `from` to `to`, those that `chosen` marks where it is given. */
  add(from: number, to: number, slots: Int32Array, groups: number, chosen: Uint8Array | undefined): void;
  result(group: number): Plain;
}

export const aggregateNames = new Set([
  'count',
  'sum',
  'total',
  'avg',
  'average',
  'min',
  'max',
  'median',
  'stdev',
  'group_concat',
]);

export function aggregateOf(name: string, argument: Argument | undefined, distinct: boolean, text: TextOf): Aggregate {
  if (!argument) return new RowCount();
  if (distinct) return new Distinct(name, argument, text);
  switch (name) {
    case 'count':
      return new ValueCount(argument);
    case 'sum':
    case 'total':
      return new Sum(argument, false);
    case 'avg':
    case 'average':
      return new Sum(argument, true);
    case 'min':
      return new Extreme(argument, -1);
    case 'max':
      return new Extreme(argument, 1);
    default:
      return new Collected(argument, name);
  }
}

function grown(list: Float64Array<ArrayBuffer>, groups: number): Float64Array<ArrayBuffer> {
  if (groups <= list.length) return list;
  const larger = new Float64Array(Math.max(groups, list.length * 2));
  larger.set(list);
  return larger;
}

class RowCount implements Aggregate {
  #counts = new Float64Array(64);

  add(from: number, to: number, slots: Int32Array, groups: number, chosen: Uint8Array | undefined): void {
    const counts = (this.#counts = grown(this.#counts, groups));
    for (let at = from; at <= to; at++) if (!chosen || chosen[at] === 1) counts[slots[at]!]!++;
  }

  result(group: number): Plain {
    return this.#counts[group] ?? 0;
  }
}

class ValueCount implements Aggregate {
  readonly #argument: Argument;
  #counts = new Float64Array(64);

  constructor(argument: Argument) {
    this.#argument = argument;
  }

  add(from: number, to: number, slots: Int32Array, groups: number, chosen: Uint8Array | undefined): void {
    const counts = (this.#counts = grown(this.#counts, groups));
    const { view, evaluate } = this.#argument;
    for (let at = from; at <= to; at++) {
      if (chosen && chosen[at] !== 1) continue;
      const isThere = view ? view.tags[at] !== blankTag && view.tags[at] !== errorTag : evaluate(at) !== null;
      if (isThere) counts[slots[at]!]!++;
    }
  }

  result(group: number): Plain {
    return this.#counts[group] ?? 0;
  }
}

export class Sum implements Aggregate {
  readonly #argument: Argument;
  readonly #isAverage: boolean;
  #sums = new Float64Array(64);
  #counts = new Float64Array(64);

  constructor(argument: Argument, isAverage: boolean) {
    this.#argument = argument;
    this.#isAverage = isAverage;
  }

  /** The column that is summed as it stands. */
  get view(): ColumnView | undefined {
    return this.#isAverage ? undefined : this.#argument.view;
  }

  sumsFor(groups: number): Float64Array {
    this.#sums = grown(this.#sums, groups);
    return this.#sums;
  }

  add(from: number, to: number, slots: Int32Array, groups: number, chosen: Uint8Array | undefined): void {
    this.#sums = grown(this.#sums, groups);
    this.#counts = grown(this.#counts, groups);
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

  /** The loop that a million rows go through: nothing in it but the arrays. */
  #addAll({ tags, nums }: ColumnView, from: number, to: number, slots: Int32Array): void {
    const sums = this.#sums;
    for (let at = from; at <= to; at++) if (tags[at] === numberTag) sums[slots[at]!]! += nums[at]!;
  }

  result(group: number): Plain {
    const sum = this.#sums[group] ?? 0;
    if (!this.#isAverage) return sum;
    const count = this.#counts[group] ?? 0;
    return count === 0 ? null : sum / count;
  }
}

class Extreme implements Aggregate {
  readonly #argument: Argument;
  readonly #sign: 1 | -1;
  readonly #best: Plain[] = [];

  constructor(argument: Argument, sign: 1 | -1) {
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
      if (best === null || Math.sign(compare(value, best)) === this.#sign) this.#best[slot] = value;
    }
  }

  result(group: number): Plain {
    return this.#best[group] ?? null;
  }
}

/** Functions that need all values at once. */
class Collected implements Aggregate {
  readonly #argument: Argument;
  readonly #name: string;
  readonly #values: Plain[][] = [];

  constructor(argument: Argument, name: string) {
    this.#argument = argument;
    this.#name = name;
  }

  add(from: number, to: number, slots: Int32Array, _: number, chosen: Uint8Array | undefined): void {
    for (let at = from; at <= to; at++) {
      if (chosen && chosen[at] !== 1) continue;
      const value = this.#argument.evaluate(at);
      if (value !== null) (this.#values[slots[at]!] ??= []).push(value);
    }
  }

  result(group: number): Plain {
    return collect(this.#name, this.#values[group] ?? []);
  }
}

class Distinct implements Aggregate {
  readonly #name: string;
  readonly #argument: Argument;
  readonly #coder: Coder;
  readonly #seen: Set<number>[] = [];

  constructor(name: string, argument: Argument, text: TextOf) {
    this.#name = name;
    this.#argument = argument;
    this.#coder = new Coder(argument, text);
  }

  add(from: number, to: number, slots: Int32Array, _: number, chosen: Uint8Array | undefined): void {
    for (let at = from; at <= to; at++) {
      if (chosen && chosen[at] !== 1) continue;
      const value = this.#argument.evaluate(at);
      if (value !== null) (this.#seen[slots[at]!] ??= new Set()).add(this.#coder.codeOf(value));
    }
  }

  result(group: number): Plain {
    const seen = this.#seen[group] ?? new Set();
    if (this.#name === 'count') return seen.size;
    return collect(
      this.#name,
      [...seen].map((code) => this.#coder.values[code]!),
    );
  }
}

const longestText = 32_767;

function collect(name: string, values: readonly Plain[]): Plain {
  if (name === 'group_concat') return values.map(textOf).join(', ').slice(0, longestText);
  const numbers = values.filter((one) => typeof one === 'number').sort((a, b) => a - b);
  const sum = numbers.reduce((total, one) => total + one, 0);
  const { length } = numbers;
  switch (name) {
    case 'sum':
    case 'total':
      return sum;
    case 'avg':
    case 'average':
      return length === 0 ? null : sum / length;
    case 'min':
      return numbers[0] ?? null;
    case 'max':
      return numbers[length - 1] ?? null;
    case 'median':
      return length === 0 ? null : (numbers[(length - 1) >> 1]! + numbers[length >> 1]!) / 2;
    default: {
      if (length < 2) return null;
      const mean = sum / length;
      return Math.sqrt(numbers.reduce((total, one) => total + (one - mean) ** 2, 0) / (length - 1));
    }
  }
}

/** How results are ordered: nothing comes last. */
export function orderOf(one: Plain, other: Plain): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return typeof one === 'number' && typeof other === 'number' ? one - other : compare(one, other);
}
