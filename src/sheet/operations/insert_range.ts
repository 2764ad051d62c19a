import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { insertRange } from '../engine/mutations.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, dimensionField, done, fileFields, limitOf, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const insert_range = writeTool({
  name: 'insert_range',
  summary:
    'Inserts empty cells and shifts the region and the cells below it down (row) or the cells to its ' +
    'right further right (col). For whole rows or columns use insert_dimension.',
  input: z.object({ ...fileFields, ...sheetField, ...r4, ...dimensionField, ...changesField }),
  output: done,
  plan(document, input) {
    const { sheet } = worksheetOf(document, input.sheet_id);
    const region = checkedRegion(input);
    const axis = input.dimension_type;
    const [at, end, last] =
      axis === 'row'
        ? [input.start_row, input.end_row, sheet.lastRow]
        : [input.start_col, input.end_col, sheet.lastCol];
    const room = end - at + 1;
    if (last >= at && last + room >= limitOf(axis))
      throw fail(
        'limit_exceeded',
        `end_${axis}: room for ${room} would push cells past the last of ${limitOf(axis)} ${axis}s`,
      );
    return { mutations: [insertRange.of({ sheet: input.sheet_id, region, axis })] };
  },
});
