import type { Constant, FormulaRun, ValueRun } from '@sheaf/engine/internal/document';
import type { CellContents } from './cell-input.ts';

/**
 * Cell contents in the form that is sent to the document's thread. Typed arrays are used because structured cloning
 * copies them at once, but copies objects one by one.
 */
export type PackedContents = CellContents | FlatContents;

interface FlatContents {
  /**
   * Three numbers for each run of vertically adjacent values: the row and the column of its first cell, and its length.
   */
  readonly runs: Int32Array;
  /**
   * Values of all runs, one after the other. NaN stands for a value that is not a number; that value is the next unused
   * entry of `others`.
   */
  readonly numbers: Float64Array;
  readonly others: readonly Constant[];
  /** Row and column of each formula: two numbers per formula. */
  readonly formulaCells: Int32Array;
  readonly formulas: readonly string[];
}

const minPackedCells = 64;
/** Number of cells processed before yielding to the event loop. They take a few milliseconds. */
export const cellsPerSlice = 20_000;

export function* packContentsSteps(contents: CellContents): Generator<void, PackedContents> {
  const { values, formulas } = contents;
  const count = values.reduce((sum, [, , list]) => sum + list.length, 0);
  if (count + formulas.length < minPackedCells) return contents;
  const runs = new Int32Array(3 * values.length);
  const numbers = new Float64Array(count);
  const others: Constant[] = [];
  let at = 0;
  for (const [index, [row, col, list]] of values.entries()) {
    runs.set([row, col, list.length], 3 * index);
    for (let from = 0; from < list.length;) {
      const to = Math.min(list.length, from + cellsPerSlice - (at % cellsPerSlice));
      packValues(list, from, to, numbers, at, others);
      at += to - from;
      from = to;
      if (at % cellsPerSlice === 0) yield;
    }
  }
  const formulaCells = new Int32Array(2 * formulas.length);
  const texts: string[] = [];
  for (const [index, [row, col, , formula]] of formulas.entries()) {
    formulaCells[2 * index] = row;
    formulaCells[2 * index + 1] = col;
    texts.push(formula);
    if (index % cellsPerSlice === cellsPerSlice - 1) yield;
  }
  yield;
  return { runs, numbers, others, formulaCells, formulas: texts };
}

/** Packs the values of a slice. A separate function, because V8 optimizes functions better than generators. */
function packValues(
  list: readonly Constant[],
  from: number,
  to: number,
  numbers: Float64Array,
  at: number,
  others: Constant[],
): void {
  for (let i = from; i < to; i++) {
    const value = list[i]!;
    numbers[at + i - from] = typeof value === 'number' ? value : NaN;
    if (typeof value !== 'number') others.push(value);
  }
}

export function unpackContents(contents: PackedContents): CellContents {
  if (!('runs' in contents)) return contents;
  const { runs, numbers, others, formulaCells } = contents;
  const values: ValueRun[] = [];
  let at = 0;
  let other = 0;
  for (let index = 0; index < runs.length; index += 3) {
    const list: Constant[] = [];
    for (const end = at + runs[index + 2]!; at < end; at++)
      list.push(Number.isNaN(numbers[at]) ? others[other++]! : numbers[at]!);
    values.push([runs[index]!, runs[index + 1]!, list]);
  }
  const formulas = contents.formulas.map((formula, index): FormulaRun => [
    formulaCells[2 * index]!,
    formulaCells[2 * index + 1]!,
    1,
    formula,
  ]);
  return { values, formulas };
}
