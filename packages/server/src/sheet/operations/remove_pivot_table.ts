import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { text } from '../../operation/fields.ts';
import { removePivot } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { pivotOf } from '../parts/pivots.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const remove_pivot_table = writeTool({
  name: 'remove_pivot_table',
  summary: 'Removes a pivot table and its output; its source is kept.',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    ...sheetField,
    pivot_table_id: text('Which.', { min: 1, max: 64 }),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const pivot = pivotOf(document, input.pivot_table_id);
    if (pivot.sheet !== sub.id)
      throw fail(
        'no_such_object',
        `pivot_table_id: ${JSON.stringify(pivot.id)} is on sub-sheet ${pivot.sheet}, not on ${sub.id}`,
      );
    return { mutations: [removePivot.of({ id: pivot.id })] };
  },
});
