import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { explain } from '../../operation/parse.ts';
import { cellFields, cellValue, contentsOf, type CellValue } from '../cell-values.ts';
import { setValues } from '../engine/mutations/set-values.ts';
import { worksheetOf } from '../lookup.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../tool.ts';

const flat = z.object(cellFields).partial().shape;

export const set_cell_value = writeTool({
  name: 'set_cell_value',
  summary: 'Writes one cell: text, number, boolean or formula. For many cells use set_range_value, for a table set_range_value_by_csv.\nExample: {"file_id":"...","sheet_id":"...","cell":{"row":0,"col":1,"value_type":"FORMULA","formula":"=SUM(A1:A9)"}}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    cell: cellValue.meta({ description: 'The cell. Its fields may also stand beside sheet_id.' }).optional(),
    ...flat,
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    const cell = input.cell ?? flatCell(input);
    return { mutations: [setValues.of({ sheet: input.sheet_id, ...contentsOf([cell], () => (input.cell ? 'cell.' : '')) })] };
  },
});

/** Some clients send the cell's fields without `cell`. */
function flatCell(input: Record<string, unknown>): CellValue {
  const parsed = cellValue.safeParse(input);
  if (parsed.success) return parsed.data;
  const given = Object.keys(flat).some((name) => input[name] !== undefined);
  throw fail('invalid_parameter', given ? explain(parsed.error.issues[0]!, input) : 'cell: is required');
}
