import { text } from '../../../kernel/field-schemas.ts';
import { removeFilter } from '@sheaf/engine/internal/mutations';
import { requireFilter } from '../objects/filters.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const remove_filter = worksheetWriteTool({
  name: 'remove_filter',
  summary: 'Removes a filter, or all filters of a sub-sheet, and shows the rows it hid.',
  effect: 'destroy',
  input: { filter_id: text('Borders to remove; all if omitted.', { max: 64 }).optional() },
  plan(document, sub, input) {
    const filters = input.filter_id ? [requireFilter(sub, input.filter_id)] : sub.filters;
    return { mutations: filters.map((one) => removeFilter.of({ sheet: sub.id, id: one.id })) };
  },
});
