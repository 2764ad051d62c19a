import { z } from 'zod';
import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { fileFields } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const get_sheet_info = readTool({
  name: 'get_sheet_info',
  summary: "Lists a document's sub-sheets with their ids, names and sizes.",
  input: fileFields,
  output: {
    sheets: list(
      'Sub-sheets, in tab order.',
      z.object({
        sheet_id: text('Id to pass to the other tools.'),
        sheet_name: text("The tab's name."),
        sheet_type: oneOf('Contents.', ['worksheet', 'smartsheet', 'smartcanvas']),
        row_count: integer('Number of rows in the grid.'),
        col_count: integer('Number of columns in the grid.'),
      }),
    ),
  },
  read(document) {
    return {
      sheets: document.subSheets.map((one) => {
        const { rows, cols } = document.size(one);
        return { sheet_id: one.id, sheet_name: one.name, sheet_type: one.type, row_count: rows, col_count: cols };
      }),
    };
  },
});
