import { z } from 'zod';
import { invalid } from '../errors.ts';
import { aliasField, documentedAsRequired } from '../../../kernel/field-schemas.ts';
import { parseBySchema } from '../../../kernel/parse-input.ts';
import { cellFields, cellValue, groupIntoRuns, isPresent, isValidCell, type CellValue } from '../cells/cell-input.ts';
import { setValues } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { validationField, hasValidCommonFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

const flat = z.object(cellFields).partial().shape;
for (const name of Object.keys(flat) as (keyof typeof flat)[]) Object.assign(flat, { [name]: aliasField(flat[name]) });
const flatNames = Object.keys(flat);
export const set_cell_value = writeTool({
  name: 'set_cell_value',
  summary:
    'Writes one cell: text, number, boolean or formula. For many cells use set_range_value; for a table ' +
    'use set_range_value_by_csv.\nExample: ' +
    '{"file_id":"...","sheet_id":"...","cell":{"row":0,"col":1,"value_type":"FORMULA",' +
    '"formula":"=SUM(A1:A9)"}}',
  idempotent: true,
  input: {
    ...sheetField,
    cell: documentedAsRequired(
      cellValue.meta({ description: 'The cell. Its fields may also be sent at the top level.' }).optional(),
    ),
    ...flat,
    ...validationField,
  },
  parse(raw, schema) {
    const isCalled = isPresent(raw['cell']);
    const isBare = isCalled && !flatNames.some((name) => isPresent(raw[name]));
    return hasValidCommonFields(raw) && (isBare ? isValidCell(raw['cell']) : !isCalled && isValidCell(raw))
      ? (raw as z.output<typeof schema>)
      : parseBySchema(schema, raw);
  },
  pack: ({ file_id, file_url, sheet_id, return_changes, dry_run, assert, enforce_validation, cell, ...rest }) => ({
    file_id,
    file_url,
    sheet_id,
    return_changes,
    enforce_validation,
    dry_run,
    assert,
    contents: groupIntoRuns([cell ?? flatCell(rest)], () => (cell ? 'cell.' : '')),
  }),
  plan(document, { sheet_id, contents }) {
    requireWorksheet(document, sheet_id);
    return { mutations: [setValues.of({ sheet: sheet_id, ...contents })] };
  },
});

/**
 * Reads the cell's fields from the top level of the input, because some clients send them without the `cell` object.
 */
function flatCell(given: Record<string, unknown>): CellValue {
  if (isValidCell(given)) return given as CellValue;
  if (!flatNames.some((name) => isPresent(given[name]))) throw invalid('cell: is required');
  return parseBySchema(cellValue, given);
}
