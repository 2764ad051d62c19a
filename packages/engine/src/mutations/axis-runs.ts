import type { SheetDocument } from '../document/document.ts';
import type { Run, Runs } from '../document/objects/run-length.ts';
import { axisLimit } from '../document/objects/shift-objects.ts';

/** Sets runs along an axis and returns the previous runs. */
export function replaceRuns(document: SheetDocument, target: Runs, axis: 'row' | 'col', runs: readonly Run[]): Run[] {
  const before: Run[] = [];
  for (const [start, end, value] of runs) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start || end >= axisLimit(axis)) {
      throw new RangeError(`runs: ${start} to ${end} do not lie between 0 and ${axisLimit(axis) - 1}`);
    }
    if (!Number.isFinite(value) || value < 0) throw new RangeError(`runs: ${value} is not a size`);
  }
  for (const [start, end, value] of runs) {
    const old: Run[] = [];
    target.each(start, end, (from, to, was) => old.push([from, to, was]));
    before.unshift(...old);
    target.set(start, end, value);
  }
  document.looksChanged = true;
  return before;
}
