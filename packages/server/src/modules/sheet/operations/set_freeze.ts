import { fail } from '../../../kernel/errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { setFreeze } from '@sheaf/engine/internal/mutations';
import { maxCols, maxRows } from '@sheaf/engine';
import { worksheetWriteTool } from '../calls/tool.ts';

export const set_freeze = worksheetWriteTool({
  name: 'set_freeze',
  summary:
    'Freezes the first rows and columns so that they stay in view while scrolling. 0 unfreezes; unset_freeze unfreezes both.',
  idempotent: true,
  input: {
    row_count: integer('Number of rows to freeze.', { min: 0, max: maxRows }),
    col_count: integer('Number of columns to freeze.', { min: 0, max: maxCols }),
  },
  plan(document, sub, input) {
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
    return { mutations: [setFreeze.of({ sheet: sub.id, rows: input.row_count, cols: input.col_count })] };
  },
});
