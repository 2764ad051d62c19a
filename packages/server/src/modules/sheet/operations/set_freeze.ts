import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { setFreeze } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { maxCols, maxRows } from '@sheaf/engine';
import { writeOptionFields, writeOutput, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const set_freeze = writeTool({
  name: 'set_freeze',
  summary:
    'Freezes the first rows and columns so that they stay in view while scrolling. 0 unfreezes; unset_freeze unfreezes both.',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    row_count: integer('Number of rows to freeze.', { min: 0, max: maxRows }),
    col_count: integer('Number of columns to freeze.', { min: 0, max: maxCols }),
    ...writeOptionFields,
  }),
  output: writeOutput,
  plan(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    if (input.row_count > sub.rows)
      throw fail(
        'invalid_parameter',
        `row_count: must be at most ${sub.rows}, the number of rows (got ${input.row_count})`,
      );
    if (input.col_count > sub.cols)
      throw fail(
        'invalid_parameter',
        `col_count: must be at most ${sub.cols}, the number of columns (got ${input.col_count})`,
      );
    return { mutations: [setFreeze.of({ sheet: input.sheet_id, rows: input.row_count, cols: input.col_count })] };
  },
});
