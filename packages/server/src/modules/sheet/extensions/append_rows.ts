import { z } from 'zod';
import { invalid, overLimit } from '../errors.ts';
import { integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { maxTextLength } from '../cells/cell-input.ts';
import { blankTag, type BlockCell, type SubSheet } from '@sheaf/engine/internal/document';
import { setRangeBlock } from '@sheaf/engine/internal/mutations';
import { formatAddress, resolveAddress } from '../calls/address.ts';
import { maxCols, maxRows } from '@sheaf/engine';
import { addressField, validationField, colField, defaultSheetField } from '../schema.ts';
import { extendTables, findTablesAbove } from '../objects/tables.ts';
import { noteRangesEndingAbove } from '../reading/ranges-ending-above.ts';
import { writeTool } from '../calls/tool.ts';
import { createRowParser } from '../cells/row-parser.ts';
import { unpackRows, packRows } from '../cells/packed-rows.ts';

const maxRowsPerCall = 20_000;
const value = z.union([z.string().max(maxTextLength), z.number(), z.boolean(), z.null()]).meta({
  description: 'Value; null for an empty cell; = begins a formula.',
});

export const append_rows = writeTool({
  name: 'append_rows',
  maxValues: 600_000,
  summary:
    'Appends rows below the last used row of the target columns; safe when several callers append.\nExample: ' +
    '{"range":"Sheet1!A:C","rows":[["pear",3,"=B2*2"],["leek",2,null]]}',
  input: {
    range: addressField('Columns, e.g. Sales!A:C. Default: from A on.').optional(),
    ...defaultSheetField,
    rows: list('Rows of values, from left to right.', list('A row.', value, { max: maxCols }), {
      min: 1,
      max: maxRowsPerCall,
    }).meta({
      'x-listed': 'array',
      description: 'Rows of values, from left to right; null for an empty cell; = begins a formula.',
    }),
    start_col: aliasField(colField('First column to write, instead of range. Default: 0.')).optional(),
    end_col: aliasField(colField('Last column looked at for the last used row.')).optional(),
    ...validationField,
  },
  parse: createRowParser({
    maxRows: maxRowsPerCall,
    maxCols,
    isPlain: (one) =>
      typeof one === 'string'
        ? one.length <= maxTextLength
        : one === null || typeof one === 'boolean' || Number.isFinite(one),
  }),
  output: {
    start_row: integer('Row of the first appended row.'),
    row_count: integer('How many.'),
    range: text('Cells that were written, as Sheet1!A5:C6.').optional(),
    notes: list('Remarks: totals that end above the new rows, tables that grew.', text('A note.')).optional(),
  },
  pack: (input) => packRows(input),
  plan(document, { rows: packedRows, ...rest }) {
    const input = { ...rest, rows: unpackRows(packedRows) };
    if (input.range !== undefined && (input.start_col ?? input.end_col) !== undefined)
      throw invalid(`range: names the columns; leave out start_col and end_col (got both)`);
    const options = { sheet: input.sheet_id, isWrite: true };
    const { sub, rect } = resolveAddress(document, input.range ?? 'A1', options);
    const left = input.start_col ?? rect.left;
    const width = input.rows.reduce((most, row) => Math.max(most, row.length), 0);
    if (width === 0) throw invalid('rows: must contain at least one value');
    if (left + width > maxCols)
      throw overLimit(`rows: ${width} values starting at column ${left} exceed ${maxCols} columns`);
    const right = input.end_col ?? Math.max(rect.right, left + width - 1);
    if (right < left + width - 1)
      throw invalid(`end_col: must be at least ${left + width - 1}, the last column written (got ${right})`);
    const top = lastFilledRow(sub, left, right) + 1;
    if (top + input.rows.length > maxRows)
      throw overLimit(`rows: ${input.rows.length} rows starting at row ${top} exceed ${maxRows} rows`);
    const rows = input.rows.map((row) => row.map(cellOf));
    const data = { start_row: top, row_count: input.rows.length };
    if (rows.every((row) => row.every((cell) => cell === null))) return { mutations: [], data };
    const written = { top, left, bottom: top + rows.length - 1, right: left + width - 1 };
    const grown = extendTables(sub, written);
    const notes = [
      ...grown.map(({ table, range }) => `table ${table.name} now covers ${range}`),
      ...findTablesAbove(sub, written, grown).map(
        ({ name }) => `the rows are below table ${name}, not in it; set_table changes its range`,
      ),
      ...noteRangesEndingAbove(document, sub, written, { afterTotals: true }),
    ];
    return {
      mutations: [
        ...grown.map(({ mutation }) => mutation),
        setRangeBlock.of({ sheet: sub.id, row: top, col: left, rows }),
      ],
      data: { ...data, range: formatAddress(sub, written), ...(notes.length > 0 ? { notes } : {}) },
    };
  },
});

function cellOf(given: z.output<typeof value>): BlockCell {
  if (typeof given === 'string')
    return given === '' ? null : given.startsWith('=') && given.length > 1 ? { formula: given } : given;
  return given;
}

/** Returns the last row with a value or formula in columns `left` to `right`; -1 if there is none. */
function lastFilledRow(sub: SubSheet, left: number, right: number): number {
  const { bands } = sub.sheet.cells;
  for (const band of bands.toReversed()) {
    let last = -1;
    for (let c = left; c <= Math.min(right, band.chunks.length - 1); c++) {
      const chunk = band.chunks[c];
      if (!chunk) continue;
      for (let i = chunk.rows - 1; i > last; i--) {
        if (chunk.tags[i] !== blankTag || (chunk.formulas?.[i] ?? 0) !== 0) last = i;
      }
    }
    if (last >= 0) return band.start + last;
  }
  return -1;
}
