import type { Budget } from '../base/budget.ts';
import type { Scalar } from '../base/values.ts';
import type { FormulaGroup } from './formula-group.ts';
import type { FormulaCell } from './demand-evaluator.ts';

/** Settings for circular formulas: maximum number of iterations, and the change below which iteration stops. */
export interface Iteration {
  readonly count: number;
  readonly delta: number;
}

/** Upper limit of `Iteration.count`, as in other spreadsheet programs. */
const maxCount = 32_767;

export function iterationOf(attributes: Readonly<Record<string, string>> | undefined): Iteration | undefined {
  if (!attributes || !/^(1|true)$/i.test(attributes.iterate ?? '')) return undefined;
  const count = Number(attributes.iterateCount ?? 100);
  const delta = Number(attributes.iterateDelta ?? 0.001);
  return {
    count: Number.isInteger(count) && count >= 1 ? Math.min(count, maxCount) : 100,
    delta: delta >= 0 ? delta : 0.001,
  };
}

/**
 * Calculates the cells of a cycle repeatedly, row by row, until their values converge or `count` rounds are done. The
 * cells start at zero, not at their previous values, so that a document's values depend on its contents alone.
 */
export function iterateCycle(
  cells: readonly FormulaCell[],
  { count, delta }: Iteration,
  budget: Budget,
  compute: (group: FormulaGroup, row: number) => void,
  zero: (group: FormulaGroup, row: number) => void,
): void {
  const ordered = cells.toSorted(
    (a, b) => a.group.sheet.id - b.group.sheet.id || a.row - b.row || a.group.col - b.group.col,
  );
  for (const { group, row } of ordered) {
    zero(group, row);
    group.cursor = Infinity;
  }
  for (let round = 0; round < count; round++) {
    let change = 0;
    for (const { group, row } of ordered) {
      budget.spend(group.pattern.weight);
      const before = group.sheet.read(row, group.col);
      compute(group, row);
      change = Math.max(change, distance(before, group.sheet.read(row, group.col)));
    }
    if (change < delta || change === 0) return;
  }
}

function distance(before: Scalar, after: Scalar): number {
  if (typeof before === 'number' && typeof after === 'number') return Math.abs(after - before);
  return before === after ? 0 : Infinity;
}
