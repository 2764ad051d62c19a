import { z } from 'zod';
import { list } from '../../operation/fields.ts';
import { cellValue, contentsOf } from '../cell-values.ts';
import { setValues } from '../engine/mutations/set-values.ts';
import { worksheetOf } from '../lookup.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../tool.ts';

export const set_range_value = writeTool({
  name: 'set_range_value',
  summary: 'Writes many cells at once, wherever they are; one call is one revision. For a table use set_range_value_by_csv, for one cell set_cell_value.\nExample: {"values":[{"row":0,"col":0,"value_type":"STRING","string_value":"Total"},{"row":0,"col":1,"value_type":"FORMULA","formula":"=SUM(B2:B9)"}]}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    values: list('The cells. A cell given twice has its last value.', cellValue, { min: 1, max: 200_000 }),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    return { mutations: [setValues.of({ sheet: input.sheet_id, ...contentsOf(input.values, (index) => `values[${index}].`) })] };
  },
});
