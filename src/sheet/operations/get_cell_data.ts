import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { double, flag, integer, list, oneOf, text } from '../../operation/fields.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { cellRepliesText, toCsv, rectOf } from '../engine/document.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { cellCount, fileFields, maxReadCells, r4, regionOf, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const get_cell_data = readTool({
  name: 'get_cell_data',
  summary:
    'Reads values and formulas of a region, at most 20000 cells; empty cells are left out. return_csv ' +
    'gives a compact table instead. To see what a sheet holds first use describe_sheet; for styles ' +
    'get_cell_style.',
  input: z.object({
    ...fileFields,
    ...sheetField,
    ...r4,
    return_csv: flag('Answer with csv_data instead of cells.').optional(),
  }),
  output: z.object({
    cells: list(
      'Row by row, empty ones left out.',
      z.object({
        row: integer('Row, from 0.'),
        col: integer('Column, from 0.'),
        value_type: oneOf('What the cell holds.', [
          'NUMBER',
          'STRING',
          'BOOL',
          'FORMULA',
          'ERROR',
          'TIME_STRING',
          'RICH_STRING',
        ]),
        number_value: double('Number, or serial number of a date.').optional(),
        string_value: text('Text, shown date, or error.').optional(),
        bool_value: flag('Boolean.').optional(),
        formula: text('The formula, with =.').optional(),
      }),
    ).optional(),
    csv_data: text('With return_csv: computed values, dates as shown.').optional(),
  }),
  read(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const rect = rectOf(regionOf(input));
    const count = cellCount(input);
    if (count > maxReadCells)
      throw fail(
        'limit_exceeded',
        `end_row: a region of at most ${maxReadCells} cells can be read at once (got ${count})`,
      );
    if (input.return_csv) return { csv_data: toCsv(document, sub, rect) };
    return new RawJson(new TextEncoder().encode(`{"cells":${cellRepliesText(document, sub, rect)}}`));
  },
});
