import { deleteRange } from '@sheaf/engine/internal/mutations';
import { dimensionField, regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const delete_range = worksheetWriteTool({
  name: 'delete_range',
  summary:
    'Deletes cells and shifts the cells below up (row) or the cells to the right left (col). For whole ' +
    'rows or columns use delete_dimension; to clear cells without shifting use clear_range_cells.',
  effect: 'destroy',
  input: { ...regionFields, ...dimensionField },
  plan(document, sub, input) {
    return {
      mutations: [deleteRange.of({ sheet: sub.id, region: toRegionTuple(input), axis: input.dimension_type })],
    };
  },
});
