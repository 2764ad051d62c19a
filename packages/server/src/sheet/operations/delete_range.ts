import { z } from 'zod';
import { deleteRange } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, dimensionField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_range = writeTool({
  name: 'delete_range',
  summary:
    'Deletes cells and shifts the cells below up (row) or the cells to the right left (col). For whole ' +
    'rows or columns use delete_dimension; to clear cells without shifting use clear_range_cells.',
  effect: 'destroy',
  input: z.object({ ...fileFields, ...sheetField, ...r4, ...dimensionField, ...changesField }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    return {
      mutations: [deleteRange.of({ sheet: input.sheet_id, region: checkedRegion(input), axis: input.dimension_type })],
    };
  },
});
