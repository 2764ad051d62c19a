import { z } from 'zod';
import { invalid, overLimit } from '../errors.ts';
import { integer, list, aliasField, text } from '../../../kernel/field-schemas.ts';
import { maxTextLength } from '../cells/cell-input.ts';
import { blankTag, type BlockCell, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { setRangeBlock, setStyle, type Mutation } from '@sheaf/engine/internal/mutations';
import { formatAddress, resolveAddress } from '../calls/address.ts';
import { isDatePattern, maxCols, maxRows } from '@sheaf/engine';
import { addressField, validationField, colField, defaultSheetField } from '../schema.ts';
import { extendTables, findTablesAbove } from '../objects/tables.ts';
import { describeRangesEndingAbove } from '../reading/ranges-ending-above.ts';
import { writeTool } from '../calls/tool.ts';
import { createYieldingRowsValidator } from '../cells/validate-large-rows.ts';
import { unpackRows, packRows } from '../cells/packed-rows.ts';
import { parseWrittenText } from '../cells/grid-value.ts';
import { joinDown, mergeColumnRuns, type ColumnRun } from '../reading/column-runs.ts';

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
  parse: createYieldingRowsValidator({
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
    const dates = readDates(document, sub, rows, written);
    const grown = extendTables(sub, written);
    const notes = [
      ...grown.map(({ table, range }) => `table ${table.name} now covers ${range}`),
      ...findTablesAbove(sub, written, grown).map(
        ({ name }) => `the rows are below table ${name}, not in it; set_table changes its range`,
      ),
      ...describeRangesEndingAbove(document, sub, written, { afterTotals: true }),
    ];
    return {
      mutations: [
        ...grown.map(({ mutation }) => mutation),
        setRangeBlock.of({ sheet: sub.id, row: top, col: left, rows }),
        ...dates,
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

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
/** Maximum number of rows that are searched, upwards from the new rows, for the last filled cell of a column. */
const maxLookedAbove = 100;

/**
 * Converts texts such as 2026-05-01 in the appended rows to dates, in place, if the last filled cell above them in the
 * column has a date format. Sums and sorting would ignore such texts. Returns mutations that set the number formats
 * that the dates need.
 */
function readDates(
  document: SheetDocument,
  sub: SubSheet,
  rows: BlockCell[][],
  { top, left }: { top: number; left: number },
): Mutation[] {
  const above = new Map<number, string | undefined>();
  const formats: ColumnRun<string>[] = [];
  for (const [index, row] of rows.entries())
    for (const [offset, cell] of row.entries()) {
      if (typeof cell !== 'string' || !isoDate.test(cell)) continue;
      const col = left + offset;
      if (!above.has(col)) above.set(col, dateFormatAbove(document, sub, top, col));
      const pattern = above.get(col);
      if (pattern === undefined) continue;
      const { content } = parseWrittenText(cell, 'General');
      if (!('value' in content) || typeof content.value !== 'number') continue;
      row[offset] = content.value;
      const there = top + index;
      if (!isDatePattern(document.numberFormat(sub, there, col)))
        formats.push({ col, top: there, bottom: there, what: pattern });
    }
  return mergeColumnRuns(joinDown(formats)).map(({ rect, what }) =>
    setStyle.of({
      sheet: sub.id,
      region: [rect.top, rect.left, rect.bottom, rect.right],
      set: { numberFormat: what },
    }),
  );
}

/**
 * Returns the number format of the last filled cell of the column above row `top`, if it is a date format; otherwise
 * undefined. Searches at most `maxLookedAbove` rows.
 */
function dateFormatAbove(document: SheetDocument, sub: SubSheet, top: number, col: number): string | undefined {
  for (let row = top - 1; row >= Math.max(0, top - maxLookedAbove); row--) {
    if (document.value(sub, row, col) === null) continue;
    const pattern = document.numberFormat(sub, row, col);
    return isDatePattern(pattern) ? pattern : undefined;
  }
  return undefined;
}

/** Returns the last row with a value or formula in the columns `left` to `right`; -1 if there is none. */
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
