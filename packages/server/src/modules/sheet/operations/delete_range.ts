import { deleteRange } from '@sheaf/engine/internal/mutations';
import { dimensionField, regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const delete_range = worksheetWriteTool({
  name: 'delete_range',
  summary:
    'Deletes cells and shifts those below up (row) or those to the right left (col). For whole rows or ' +
    'columns use delete_dimension.',
  effect: 'destroy',
  input: { ...regionFields, ...dimensionField },
  plan(document, sub, input) {
    return {
      mutations: [deleteRange.of({ sheet: sub.id, region: toRegionTuple(input), axis: input.dimension_type })],
    };
  },
});
