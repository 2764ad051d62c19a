import { z } from 'zod';
import { double, integer } from '../../operation/fields.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { checkRegion, fileFields, r4, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const summarize_range = readTool({
  name: 'summarize_range',
  summary:
    'Counts and sums up a region of any size without reading its cells: filled cells, numbers, sum, average, smallest and largest.',
  input: z.object({ ...fileFields, ...sheetField, ...r4 }),
  output: z.object({
    filled_count: integer('Cells that hold something.'),
    number_count: integer('Cells that hold a number.'),
    sum: double('Of the numbers.'),
    average: double('Of the numbers; absent without any.').optional(),
    min: double('Smallest number; absent without any.').optional(),
    max: double('Largest number; absent without any.').optional(),
  }),
  read(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const { start_row, start_col, end_row, end_col } = checkRegion(input);
    const { sum, count, min, max, filled } = sub.sheet.totals(start_row, start_col, end_row, end_col);
    return { filled_count: filled, number_count: count, sum, ...(count > 0 ? { average: sum / count, min, max } : {}) };
  },
});
