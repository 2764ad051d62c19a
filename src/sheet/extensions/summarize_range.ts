import { z } from 'zod';
import { double, integer } from '../../operation/fields.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { checkRegion, fileFields, r4, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const summarize_range = readTool({
  name: 'summarize_range',
  deprecated: 'use query or inspect.',
  summary:
    'Summarizes a region of any size without reading its cells: number of filled cells and of numbers, sum, average, minimum and maximum.',
  input: z.object({ ...fileFields, ...sheetField, ...r4 }),
  output: z.object({
    filled_count: integer('Number of non-empty cells.'),
    number_count: integer('Number of cells that contain a number.'),
    sum: double('Sum of the numbers.'),
    average: double('Average of the numbers; absent if there are none.').optional(),
    min: double('Smallest number; absent if there are no numbers.').optional(),
    max: double('Largest number; absent if there are no numbers.').optional(),
  }),
  read(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const { start_row, start_col, end_row, end_col } = checkRegion(input);
    const { sum, count, min, max, filled } = sub.sheet.totals(start_row, start_col, end_row, end_col);
    return { filled_count: filled, number_count: count, sum, ...(count > 0 ? { average: sum / count, min, max } : {}) };
  },
});
