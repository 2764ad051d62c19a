import { double, flag, integer } from '../../../kernel/field-schemas.ts';
import type { SubSheet } from '@sheaf/engine/internal/document';
import { charge } from '@sheaf/engine';
import { listHiddenRows } from '../reading/range-view.ts';
import { checkRegion, regionFields } from '../schema.ts';
import { worksheetReadTool } from '../calls/tool.ts';

export const summarize_range = worksheetReadTool({
  name: 'summarize_range',
  deprecated: 'use query or inspect.',
  isUnlisted: true,
  summary:
    'Summarizes a region of any size without reading its cells: number of filled cells and of numbers, sum, average, minimum and maximum.',
  input: { ...regionFields, visible_only: flag('Leaves hidden rows out.').optional() },
  output: {
    filled_count: integer('Number of non-empty cells.'),
    number_count: integer('Number of cells that contain a number.'),
    sum: double('Sum of the numbers.'),
    average: double('Average of the numbers; absent if there are none.').optional(),
    min: double('Smallest number; absent if there are no numbers.').optional(),
    max: double('Largest number; absent if there are no numbers.').optional(),
  },
  read(document, sub, input) {
    const { start_row, start_col, end_row, end_col } = checkRegion(input);
    return toAnswer(
      input.visible_only
        ? sumVisibleRows(sub, start_row, start_col, end_row, end_col)
        : sub.sheet.totals(start_row, start_col, end_row, end_col),
    );
  },
  readAreas(inputs, readOne) {
    const areas = inputs.map(readOne).map(({ filled_count: filled, number_count: count, sum, min = 0, max = 0 }) => ({
      filled,
      count,
      sum,
      min,
      max,
    }));
    return toAnswer(areas.reduce(addTotals, noTotals));
  },
});

/** Totals of cells. `min` and `max` have no meaning if `count` is 0. */
type Totals = Omit<ReturnType<SubSheet['sheet']['totals']>, 'error'>;

const noTotals: Totals = { sum: 0, count: 0, min: Infinity, max: -Infinity, filled: 0 };

function addTotals(all: Totals, one: Totals): Totals {
  return {
    sum: all.sum + one.sum,
    count: all.count + one.count,
    min: one.count > 0 ? Math.min(all.min, one.min) : all.min,
    max: one.count > 0 ? Math.max(all.max, one.max) : all.max,
    filled: all.filled + one.filled,
  };
}

function toAnswer({ filled, count, sum, min, max }: Totals) {
  return { filled_count: filled, number_count: count, sum, ...(count > 0 ? { average: sum / count, min, max } : {}) };
}

function sumVisibleRows(sub: SubSheet, top: number, left: number, bottom: number, right: number): Totals {
  let all = noTotals;
  const add = (first: number, last: number): void => {
    if (first > last) return;
    charge(right - left + 1);
    all = addTotals(all, sub.sheet.totals(first, left, last, right));
  };
  let next = top;
  for (const [first, last] of listHiddenRows(sub)) {
    if (last < next) continue;
    if (first > bottom) break;
    add(next, first - 1);
    next = last + 1;
  }
  add(next, bottom);
  return all;
}
