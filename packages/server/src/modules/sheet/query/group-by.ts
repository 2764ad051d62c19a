import { logicalTag, numberTag, textTag } from '@sheaf/engine/internal/document';
import { foldText } from '@sheaf/engine';
import type { Evaluator } from './compile.ts';
import type { ColumnBlock } from './row-sources.ts';
import type { QueryValue } from './query-value.ts';

/**
 * Argument of an aggregate, or expression of a group key. If it is a plain column, `view` gives direct access to the
 * column's cells, which is faster than calling `evaluate` for each row.
 */
export interface AggregateArgument {
  readonly evaluate: Evaluator;
  readonly view: ColumnBlock | undefined;
}

export type StringLookup = (id: number) => string;

const maxGroups = 200_000;

/**
 * Assigns a code to each distinct value of a group key: the value's index in `values`. Texts are compared
 * case-insensitively.
 */
export class KeyEncoder {
  readonly values: QueryValue[] = [];
  readonly #argument: AggregateArgument;
  readonly #textOf: StringLookup;
  readonly #texts = new Map<string, number>();
  readonly #numbers = new Map<number, number>();
  /** Code of each text by the text's id; -1 for a text without a code. A code is the index of the text in `values`. */
  #byId = new Int32Array(1024).fill(-1);
  #blank = -1;
  #flags = [-1, -1];

  constructor(argument: AggregateArgument, text: StringLookup) {
    this.#argument = argument;
    this.#textOf = text;
  }

  /** Block with the cells of the grouped column, if the group key is a plain column. */
  get view(): ColumnBlock | undefined {
    return this.#argument.view;
  }

  /**
   * Code of each text, by the text's id: the index of the text in `values`. A text has no code yet if its entry is -1 or
   * beyond the end.
   */
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
        const known = id < byId.length ? byId[id]! : -1;
        if (known >= 0) codes[at] = known;
        else {
          codes[at] = this.#textId(id);
          byId = this.#byId;
        }
      } else codes[at] = this.#other(tags[at]!, nums[at]!);
    }
  }

  #textId(id: number): number {
    if (id >= this.#byId.length) {
      const grown = new Int32Array(Math.max(id + 1, this.#byId.length * 2)).fill(-1);
      grown.set(this.#byId);
      this.#byId = grown;
    }
    const code = this.codeOf(this.#textOf(id));
    this.#byId[id] = code;
    return code;
  }

  #other(tag: number, num: number): number {
    return this.codeOf(tag === numberTag ? num : tag === logicalTag ? num === 1 : null);
  }

  codeOf(value: QueryValue): number {
    if (typeof value === 'number') return this.#known(this.#numbers, value, value);
    if (typeof value === 'string') return this.#known(this.#texts, foldText(value), value);
    if (value === null) return (this.#blank = this.#blank < 0 ? this.#add(null) : this.#blank);
    const at = value ? 1 : 0;
    if (this.#flags[at]! < 0) this.#flags[at] = this.#add(value);
    return this.#flags[at]!;
  }

  #known<Key>(codes: Map<Key, number>, key: Key, value: QueryValue): number {
    let code = codes.get(key);
    if (code === undefined) {
      code = this.#add(value);
      codes.set(key, code);
    }
    return code;
  }

  #add(value: QueryValue): number {
    return this.values.push(value) - 1;
  }
}

export class RowGroups {
  readonly encoders: readonly KeyEncoder[];
  /**
   * For each group, one code per column of GROUP BY. A code is the index of the group's value in the column's list of
   * distinct values.
   */
  readonly codes: number[][] = [];
  /** Row number of the first row of each group. */
  readonly first: number[] = [];
  readonly #pairs = new Map<string, number>();
  readonly #buffers: Int32Array[];
  #slots = new Int32Array(1024);

  constructor(encoders: readonly KeyEncoder[]) {
    this.encoders = encoders;
    this.#buffers = encoders.map(() => new Int32Array(1024));
  }

  get count(): number {
    return this.first.length;
  }

  get isTooMany(): boolean {
    return this.first.length > maxGroups;
  }

  /**
   * Returns the group number of each row from `from` to `to` of a block, indexed by the row's position in the block.
   * Creates the groups that are new. `start` is the row number of the row at `from`.
   */
  assign(from: number, to: number, start: number): Int32Array {
    if (to >= this.#slots.length) {
      this.#slots = new Int32Array(to + 1);
      this.#buffers.forEach((_, index) => (this.#buffers[index] = new Int32Array(to + 1)));
    }
    if (this.encoders.length === 0) {
      if (this.first.length === 0) this.#open([], start);
      this.#slots.fill(0, from, to + 1);
      return this.#slots;
    }
    if (this.encoders.length === 1) {
      const [coder] = this.encoders;
      coder!.encode(from, to, this.#slots);
      // With a single group key, a row's group number equals the code of its key value. Codes are assigned in order,
      // so the row in which a new code occurs is the first row of its group.
      if (this.first.length < coder!.values.length)
        for (let at = from; at <= to && this.first.length < coder!.values.length; at++)
          if (this.first.length === this.#slots[at]) this.#open([this.first.length], start + at - from);
      return this.#slots;
    }
    this.encoders.forEach((coder, index) => coder.encode(from, to, this.#buffers[index]!));
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

  key(group: number, index: number): QueryValue {
    return this.encoders[index]!.values[this.codes[group]![index]!]!;
  }
}
