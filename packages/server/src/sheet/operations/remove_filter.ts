import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { removeFilter } from '@sheaf/engine/internal/mutations';
import { filterOf } from '../parts/filters.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const remove_filter = writeTool({
  name: 'remove_filter',
  summary: 'Removes a filter, or all filters of a sub-sheet, and shows the rows it hid.',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    ...sheetField,
    filter_id: text('Borders to remove; all if omitted.', { max: 64 }).optional(),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const filters = input.filter_id ? [filterOf(sub, input.filter_id)] : sub.filters;
    return { mutations: filters.map((one) => removeFilter.of({ sheet: sub.id, id: one.id })) };
  },
});
