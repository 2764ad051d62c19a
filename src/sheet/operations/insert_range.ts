import { z } from 'zod';
import { insertRange } from '../engine/mutations/insert-range.ts';
import { worksheetOf } from '../lookup.ts';
import { changesField, dimensionField, done, fileFields, r4, regionOf, sheetField } from '../schema.ts';
import { writeTool } from '../tool.ts';

export const insert_range = writeTool({
  name: 'insert_range',
  summary: 'Inserts empty cells: the selection and what stands below it (row) or to its right (col) makes room. For whole rows or columns use insert_dimension.',
  input: z.object({ ...fileFields, ...sheetField, ...r4, ...dimensionField, ...changesField }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    return { mutations: [insertRange.of({ sheet: input.sheet_id, region: regionOf(input), axis: input.dimension_type })] };
  },
});
