import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { otherName, publishedRequired } from '../../operation/fields.ts';
import { parseBySchema } from '../../operation/parse.ts';
import { cellFields, cellValue, contentsOf, isGiven, isPlain, type CellValue } from '../cells/cell-values.ts';
import { setValues } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, enforceField, done, fileFields, isPlainAround, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

const flat = z.object(cellFields).partial().shape;
for (const name of Object.keys(flat) as (keyof typeof flat)[]) Object.assign(flat, { [name]: otherName(flat[name]) });
const flatNames = Object.keys(flat);
const input = z.object({
  ...fileFields,
  ...sheetField,
  cell: publishedRequired(
    cellValue.meta({ description: 'The cell. Its fields may also be sent at the top level.' }).optional(),
  ),
  ...flat,
  ...enforceField,
  ...changesField,
});

export const set_cell_value = writeTool({
  name: 'set_cell_value',
  summary:
    'Writes one cell: text, number, boolean or formula. For many cells use set_range_value; for a table ' +
    'use set_range_value_by_csv.\nExample: ' +
    '{"file_id":"...","sheet_id":"...","cell":{"row":0,"col":1,"value_type":"FORMULA",' +
    '"formula":"=SUM(A1:A9)"}}',
  idempotent: true,
  input,
  parse(raw) {
    const isCalled = isGiven(raw['cell']);
    const isBare = isCalled && !flatNames.some((name) => isGiven(raw[name]));
    return isPlainAround(raw) && (isBare ? isPlain(raw['cell']) : !isCalled && isPlain(raw))
      ? (raw as z.output<typeof input>)
      : parseBySchema(input, raw);
  },
  output: done,
  pack: ({ file_id, file_url, sheet_id, return_changes, dry_run, assert, enforce_validation, cell, ...rest }) => ({
    file_id,
    file_url,
    sheet_id,
    return_changes,
    enforce_validation,
    dry_run,
    assert,
    contents: contentsOf([cell ?? flatCell(rest)], () => (cell ? 'cell.' : '')),
  }),
  plan(document, { sheet_id, contents }) {
    worksheetOf(document, sheet_id);
    return { mutations: [setValues.of({ sheet: sheet_id, ...contents })] };
  },
});

/** Accepts the cell's fields without the `cell` object, because some clients send them so. */
function flatCell(given: Record<string, unknown>): CellValue {
  if (isPlain(given)) return given as CellValue;
  if (!flatNames.some((name) => isGiven(given[name]))) throw fail('invalid_parameter', 'cell: is required');
  return parseBySchema(cellValue, given);
}
