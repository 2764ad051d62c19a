import { z } from 'zod';
import { list } from '../../operation/fields.ts';
import { parseBySchema } from '../../operation/parse.ts';
import { cellValue, contentsOf, packed, plainCells, unpacked } from '../cell-values.ts';
import { setValues } from '../engine/mutations/set-values.ts';
import { worksheetOf } from '../lookup.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../tool.ts';

const mostCells = 200_000;
const around = z.object({ ...fileFields, ...sheetField, ...changesField });
const input = around.extend({ values: list('The cells. A cell given twice has its last value.', cellValue, { min: 1, max: mostCells }) });

export const set_range_value = writeTool({
  name: 'set_range_value',
  summary: 'Writes many cells at once, wherever they are; one call is one revision. For a table use set_range_value_by_csv, for one cell set_cell_value.\nExample: {"values":[{"row":0,"col":0,"value_type":"STRING","string_value":"Total"},{"row":0,"col":1,"value_type":"FORMULA","formula":"=SUM(B2:B9)"}]}',
  idempotent: true,
  input,
  parse(raw) {
    const values = Array.isArray(raw['values']) && raw['values'].length <= mostCells ? plainCells(raw['values']) : undefined;
    return values ? { ...parseBySchema(around, raw), values } : parseBySchema(input, raw);
  },
  output: done,
  pack: ({ values, ...rest }) => ({ ...rest, contents: packed(contentsOf(values, (index) => `values[${index}].`)) }),
  plan(document, { sheet_id, contents }) {
    worksheetOf(document, sheet_id);
    return { mutations: [setValues.of({ sheet: sheet_id, ...unpacked(contents) })] };
  },
});
