import { z } from 'zod';
import { integer, list, oneOf, text } from '../../operation/fields.ts';
import { fileFields } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const get_sheet_info = readTool({
  name: 'get_sheet_info',
  summary:
    "Lists a document's sub-sheets with their ids, names and sizes. Call it first: nearly every tool needs a sheet_id.",
  input: z.object(fileFields),
  output: z.object({
    sheets: list(
      'In the order of the tabs.',
      z.object({
        sheet_id: text('For the other tools.'),
        sheet_name: text("The tab's name."),
        sheet_type: oneOf('What it holds.', ['worksheet', 'smartsheet', 'smartcanvas']),
        row_count: integer('Rows of the grid.'),
        col_count: integer('Columns of the grid.'),
      }),
    ),
  }),
  read(document) {
    return {
      sheets: document.subSheets.map((one) => ({
        sheet_id: one.id,
        sheet_name: one.name,
        sheet_type: one.type,
        row_count: one.rows,
        col_count: one.cols,
      })),
    };
  },
});
