import { z } from 'zod';
import { double, flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { cellRepliesText, toCsv } from '@sheaf/engine/internal/document';
import { regionFields, toReadableRect } from '../schema.ts';
import { worksheetReadTool } from '../calls/tool.ts';

export const get_cell_data = worksheetReadTool({
  name: 'get_cell_data',
  summary:
    'Returns the values and formulas of up to 20000 cells; empty ones are omitted. read takes fewer tokens; ' +
    'for styles use get_cell_style.',
  input: { ...regionFields, return_csv: flag('Whether to return csv_data instead of cells.').optional() },
  output: {
    cells: list(
      'Cells, row by row, omitting empty ones.',
      z.object({
        row: integer('0-based.'),
        col: integer('0-based.'),
        value_type: oneOf('Content of the cell.', [
          'NUMBER',
          'STRING',
          'BOOL',
          'FORMULA',
          'ERROR',
          'TIME_STRING',
          'RICH_STRING',
        ]),
        number_value: double('Number, or date serial number.').optional(),
        string_value: text('Text, displayed date, or error.').optional(),
        bool_value: flag('Boolean.').optional(),
        formula: text('The formula, with =.').optional(),
        link_id: text('Id of its link.').optional(),
      }),
    ).optional(),
    csv_data: text('With return_csv: computed values, dates as shown.').optional(),
  },
  read(document, sub, input) {
    const rect = toReadableRect(input);
    if (input.return_csv) return { csv_data: toCsv(document, sub, rect) };
    return new RawJson(new TextEncoder().encode(`{"cells":${cellRepliesText(document, sub, rect)}}`));
  },
});
