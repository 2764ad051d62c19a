import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { setFilter } from '@sheaf/engine/internal/mutations';
import { refuseFilterOverlap } from '../objects/filters.ts';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const set_filter = worksheetWriteTool({
  name: 'set_filter',
  summary: 'Adds a filter to a region whose first row contains the headings. update_filter chooses what stays visible.',
  input: { ...regionFields, filter_id: text('Id; generated if omitted.', { max: 64 }).optional() },
  plan(document, sub, input, call) {
    const region = toRegionTuple(input);
    const id = input.filter_id || call.newId('filter');
    if (document.subSheets.some((one) => one.filters.some((filter) => filter.id === id)))
      throw fail('conflict', `filter_id: ${JSON.stringify(id)} is already taken`);
    refuseFilterOverlap(sub, region);
    return { mutations: [setFilter.of({ sheet: sub.id, filter: { id, region, columns: [], hidden: [] } })] };
  },
});
