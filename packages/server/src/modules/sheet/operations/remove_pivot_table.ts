import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { removePivot } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { requirePivotTable } from '../objects/pivot-tables.ts';
import { writeOptionFields, writeOutput, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const remove_pivot_table = writeTool({
  name: 'remove_pivot_table',
  summary: 'Removes a pivot table and its output; its source is kept.',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    ...sheetField,
    pivot_table_id: text('Which.', { min: 1, max: 64 }),
    ...writeOptionFields,
  }),
  output: writeOutput,
  plan(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    const pivot = requirePivotTable(document, input.pivot_table_id);
    if (pivot.sheet !== sub.id)
      throw fail(
        'no_such_object',
        `pivot_table_id: ${JSON.stringify(pivot.id)} is on sub-sheet ${pivot.sheet}, not on ${sub.id}`,
      );
    return { mutations: [removePivot.of({ id: pivot.id })] };
  },
});
