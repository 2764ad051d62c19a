import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { text } from '../../operation/fields.ts';
import { setFilter } from '@sheaf/engine/internal/mutations';
import { refuseOverlap } from '../parts/filters.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const set_filter = writeTool({
  name: 'set_filter',
  summary:
    'Adds a filter to a region whose first row contains the headings. Choose what stays visible with ' +
    'update_filter; get_sheet_object_list lists the filter as a table.',
  input: z.object({
    ...fileFields,
    ...sheetField,
    ...r4,
    filter_id: text('Id; generated if omitted.', { max: 64 }).optional(),
    ...changesField,
  }),
  output: done,
  plan(document, input, call) {
    const sub = worksheetOf(document, input.sheet_id);
    const region = checkedRegion(input);
    const id = input.filter_id || call.newId('filter');
    if (document.subSheets.some((one) => one.filters.some((filter) => filter.id === id)))
      throw fail('conflict', `filter_id: ${JSON.stringify(id)} is already taken`);
    refuseOverlap(sub, region);
    return { mutations: [setFilter.of({ sheet: sub.id, filter: { id, region, columns: [], hidden: [] } })] };
  },
});
