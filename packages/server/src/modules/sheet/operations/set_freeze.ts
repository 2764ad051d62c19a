import { invalid } from '../errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { setFreeze } from '@sheaf/engine/internal/mutations';
import { maxCols, maxRows } from '@sheaf/engine';
import { worksheetWriteTool } from '../calls/tool.ts';

export const set_freeze = worksheetWriteTool({
  name: 'set_freeze',
  summary: 'Freezes the first rows and columns so that they stay in view while scrolling. 0 unfreezes.',
  idempotent: true,
  input: {
    row_count: integer('Number of rows to freeze.', { min: 0, max: maxRows }),
    col_count: integer('Number of columns to freeze.', { min: 0, max: maxCols }),
  },
  plan(document, sub, input) {
    for (const [field, most, what] of [
      ['row_count', sub.rows, 'rows'],
      ['col_count', sub.cols, 'columns'],
    ] as const)
      if (input[field] > most)
        throw invalid(`${field}: must be at most ${most}, the number of ${what} (got ${input[field]})`);
    return { mutations: [setFreeze.of({ sheet: sub.id, rows: input.row_count, cols: input.col_count })] };
  },
});
