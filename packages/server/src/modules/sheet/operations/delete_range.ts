import { z } from 'zod';
import { deleteRange } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import {
  writeOptionFields,
  dimensionField,
  writeOutput,
  fileFields,
  regionFields,
  toRegionTuple,
  sheetField,
} from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_range = writeTool({
  name: 'delete_range',
  summary:
    'Deletes cells and shifts the cells below up (row) or the cells to the right left (col). For whole ' +
    'rows or columns use delete_dimension; to clear cells without shifting use clear_range_cells.',
  effect: 'destroy',
  input: z.object({ ...fileFields, ...sheetField, ...regionFields, ...dimensionField, ...writeOptionFields }),
  output: writeOutput,
  plan(document, input) {
    requireWorksheet(document, input.sheet_id);
    return {
      mutations: [deleteRange.of({ sheet: input.sheet_id, region: toRegionTuple(input), axis: input.dimension_type })],
    };
  },
});
