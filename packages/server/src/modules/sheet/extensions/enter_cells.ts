import { overLimit } from '../errors.ts';
import { list, text } from '../../../kernel/field-schemas.ts';
import { maxTextLength, RunBuilder } from '../cells/cell-input.ts';
import { joinDown, type ColumnRun } from '../reading/column-runs.ts';
import { setStyle, setValues } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { maxCols, maxRows } from '@sheaf/engine';
import { validationField, colField, rowField, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';
import { createYieldingRowsValidator } from '../cells/validate-large-rows.ts';
import { unpackRows, packRows } from '../cells/packed-rows.ts';
import { parseUserInput } from '../cells/user-input.ts';
import { extendTables } from '../objects/tables.ts';

const maxCells = 200_000;

export const enter_cells = writeTool({
  name: 'enter_cells',
  deprecated: 'use write, which does the same by address and reports what changed.',
  isUnlisted: true,
  maxValues: 600_000,
  summary:
    'Enters text as if typed, starting at a top-left cell: dates, percentages and amounts become ' +
    'formatted numbers, =... becomes a formula, "" clears the cell, null leaves it unchanged, and a ' +
    'leading apostrophe keeps text as text. To set exact values use set_range_value.\nExample: ' +
    '{"start_row":0,"start_col":0,"rows":[["Due","2026-05-01"],["Share","12%"]]}',
  idempotent: true,
  input: {
    ...sheetField,
    start_row: rowField('Row of the first cell.'),
    start_col: colField('Column of the first cell.'),
    rows: list(
      'Cells, row by row.',
      list('From left to right.', text('Text as typed.', { max: maxTextLength }).nullable(), { max: maxCols }),
      { min: 1, max: maxRows },
    ),
    ...validationField,
  },
  parse: createYieldingRowsValidator({
    maxRows,
    maxCols,
    isPlain: (one) => one === null || (typeof one === 'string' && one.length <= maxTextLength),
  }),
  pack: (input) => packRows(input),
  plan(document, { rows: packedRows, ...rest }) {
    const input = { ...rest, rows: unpackRows(packedRows) };
    const sub = requireWorksheet(document, input.sheet_id);
    const width = input.rows.reduce((most, line) => Math.max(most, line.length), 0);
    const count = input.rows.reduce((sum, line) => sum + line.length, 0);
    if (count > maxCells) throw overLimit(`rows: at most ${maxCells} cells in one call (got ${count})`);
    if (input.start_row + input.rows.length > maxRows)
      throw overLimit(`rows: ${input.rows.length} rows starting at row ${input.start_row} exceed ${maxRows} rows`);
    if (input.start_col + width > maxCols)
      throw overLimit(`rows: ${width} cells starting at column ${input.start_col} exceed ${maxCols} columns`);
    const runs = new RunBuilder();
    const formats: ColumnRun<string>[] = [];
    for (let c = 0; c < width; c++) {
      const col = input.start_col + c;
      input.rows.forEach((line, r) => {
        const typed = line[c];
        if (typed === null || typed === undefined) return;
        const row = input.start_row + r;
        const pattern = document.numberFormat(sub, row, col);
        const { content, pattern: asked } = parseUserInput(typed, pattern);
        if ('formula' in content) runs.formulas.push([row, col, 1, content.formula]);
        else runs.addValue(row, col, content.value);
        if (asked !== undefined && pattern === 'General') formats.push({ col, top: row, bottom: row, what: asked });
      });
    }
    const { values, formulas } = runs;
    if (values.length === 0 && formulas.length === 0) return { mutations: [] };
    const filled = values.some(([, , run]) => run.some((one) => one !== null)) || formulas.length > 0;
    const looks = joinDown(formats).map(({ col, top, bottom, what }) =>
      setStyle.of({ sheet: sub.id, region: [top, col, bottom, col], set: { numberFormat: what } }),
    );
    const written = {
      top: input.start_row,
      left: input.start_col,
      bottom: input.start_row + input.rows.length - 1,
      right: input.start_col + width - 1,
    };
    const grown = filled && sub.tables.length > 0 ? extendTables(sub, written) : [];
    return {
      mutations: [
        ...grown.map(({ mutation }) => mutation),
        setValues.of({ sheet: sub.id, values, formulas }),
        ...looks,
      ],
    };
  },
});
