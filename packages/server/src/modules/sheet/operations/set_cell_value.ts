import { z } from 'zod';
import { invalid } from '../errors.ts';
import { aliasField, documentedAsRequired } from '../../../kernel/field-schemas.ts';
import { formatValue, parseBySchema } from '../../../kernel/parse-input.ts';
import { cellFields, cellValue, groupIntoRuns, isPresent, isValidCell, type CellValue } from '../cells/cell-input.ts';
import { setValues } from '@sheaf/engine/internal/mutations';
import { parseRect } from '@sheaf/engine';
import { resolveAddress } from '../calls/address.ts';
import { rangeField } from '../calls/range-input.ts';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { countRectCells } from '../cells/rects.ts';
import { validationField, hasValidCommonFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

const flat = z.object(cellFields).partial().shape;
for (const name of Object.keys(flat) as (keyof typeof flat)[]) Object.assign(flat, { [name]: aliasField(flat[name]) });
const flatNames = Object.keys(flat);
export const set_cell_value = writeTool({
  name: 'set_cell_value',
  summary:
    'Writes one cell: text, number, boolean or formula. For many cells use set_range_value.\nExample: ' +
    '{"file_id":"...","sheet_id":"...","cell":{"row":0,"col":1,"value_type":"FORMULA","formula":"=SUM(A1:A9)"}}',
  idempotent: true,
  input: {
    ...sheetField,
    cell: documentedAsRequired(
      cellValue.meta({ description: 'The cell. Its fields may also be sent at the top level.' }).optional(),
    ),
    ...flat,
    ...rangeField,
    ...validationField,
  },
  parse(given, schema) {
    const raw = withCellNumbers(given);
    // An address may omit the sub-sheet if the document has only one, so sheet_id is optional with an address.
    if (raw !== given && raw['sheet_id'] === undefined)
      return parseBySchema((schema as z.ZodObject).partial({ sheet_id: true }), raw) as z.output<typeof schema>;
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
    const only = (): string => resolveAddress(document, 'A1', { isWrite: true }).sub.id;
    const sheet = requireWorksheet(document, (sheet_id as string | undefined) ?? only()).id;
    return { mutations: [setValues.of({ sheet, ...contents })] };
  },
});

const cellAddress = /^(?:(?:'((?:[^']|'')+)'|([^'!]+))!)?([^!]+)$/s;

/**
 * Replaces an address in the field `range` or `cell` by the row and column index of its cell. If the address names a
 * sub-sheet, also sets `sheet_id`.
 */
function withCellNumbers(given: Record<string, unknown>): Record<string, unknown> {
  const field = typeof given['cell'] === 'string' ? 'cell' : 'range';
  const address = given[field];
  if (typeof address !== 'string') return given;
  const [, quoted, plain, cells = ''] = cellAddress.exec(address.trim()) ?? [];
  const rect = parseRect(cells);
  if (!rect || countRectCells(rect) > 1)
    throw invalid(`${field}: must be one cell, e.g. B2 (got ${formatValue(address)})`);
  const { [field]: _, ...rest } = given;
  const numbers = { row: rect.top, col: rect.left };
  const sheet = quoted?.replaceAll("''", "'") ?? plain;
  const home = sheet === undefined ? {} : { sheet_id: sheet };
  const { cell } = rest;
  return isPresent(cell)
    ? { ...rest, ...home, cell: { ...(cell as object), ...numbers } }
    : { ...rest, ...home, ...numbers };
}

/**
 * Reads the cell's fields from the top level of the input. Some clients send them there instead of in the `cell`
 * object.
 */
function flatCell(given: Record<string, unknown>): CellValue {
  if (isValidCell(given)) return given as CellValue;
  if (!flatNames.some((name) => isPresent(given[name]))) throw invalid('cell: is required');
  return parseBySchema(cellValue, given);
}
