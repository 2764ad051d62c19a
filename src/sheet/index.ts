import { defineModule } from '../operation/module.ts';
import { sheetErrors } from './errors.ts';
import { toolList } from './tools.ts';

export const sheet = defineModule({
  name: 'sheet',
  title: 'Spreadsheets',
  summary: 'Cells, formulas, styles, structure, filters, charts, pivot tables and protection of one spreadsheet. Rows and columns count from 0; regions include both ends.',
  errors: sheetErrors,
  operations: toolList,
});
