import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { removeFilter } from '@sheaf/engine/internal/mutations';
import { requireFilter } from '../objects/filters.ts';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const remove_filter = writeTool({
  name: 'remove_filter',
  summary: 'Removes a filter, or all filters of a sub-sheet, and shows the rows it hid.',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    ...sheetField,
    filter_id: text('Borders to remove; all if omitted.', { max: 64 }).optional(),
    ...writeOptionFields,
  }),
  output: writeOutput,
  plan(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    const filters = input.filter_id ? [requireFilter(sub, input.filter_id)] : sub.filters;
    return { mutations: filters.map((one) => removeFilter.of({ sheet: sub.id, id: one.id })) };
  },
});
