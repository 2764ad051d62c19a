import { defineModule } from '../operation/module.ts';
import { sheetErrors } from './errors.ts';
import { watchDocument } from './news.ts';
import { specifiedTools, toolList } from './tools.ts';

export const sheet = defineModule({
  name: 'sheet',
  title: 'Spreadsheets',
  chineseTitle: '表格',
  summary:
    'Cells, formulas, styles, structure, filters, charts, pivot tables and protection of one ' +
    'spreadsheet. file_id or file_url identifies the document, sheet_id the sub-sheet (get_sheet_info ' +
    'lists them). Row and column numbers start at 0; regions (start_row, start_col, end_row, end_col) ' +
    'include both ends. With return_changes: true a write also returns up to 200 dependent cells whose ' +
    'value changed.',
  errors: sheetErrors,
  bearerKeys: true,
  mcpAddress: '/api/v6/sheet/mcp',
  watch: watchDocument,
  operations: toolList,
  explainedOnce: ['file_url', 'return_changes'],
  specified: Object.keys(specifiedTools),
  essential: ['describe_sheet', 'enter_cells', 'append_rows', 'batch'],
  core: [
    'get_sheet_info',
    'describe_sheet',
    'get_cell_data',
    'find',
    'set_cell_value',
    'set_range_value_by_csv',
    'enter_cells',
    'append_rows',
  ],
});
