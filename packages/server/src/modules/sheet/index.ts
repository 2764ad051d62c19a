import { defineModule } from '../../kernel/module.ts';
import { sheetErrors } from './errors.ts';
import { watchDocument } from './events.ts';
import { publicReads } from './public-link-reads.ts';
import { sheetDocument, sheetResource } from './mcp-resource.ts';
import { specifiedTools, toolList } from './tools.ts';

export const sheet = defineModule({
  name: 'sheet',
  title: 'Spreadsheets',
  chineseTitle: '表格',
  summary:
    'Cells, formulas, styles, structure, filters, charts, pivot tables and protection of one ' +
    'spreadsheet. file_id or file_url identifies the document, sheet_id the sub-sheet (get_sheet_info ' +
    'lists them). Row and column numbers start at 0; regions (start_row, start_col, end_row, end_col) ' +
    'include both ends; every tool also takes an address instead: range: "\'Q1\'!B2:D9", several with commas, and a ' +
    'name for a sheet_id. Any write also takes return_changes: true (which cells changed), ' +
    'dry_run: true (tell what would change) and assert: "B9 = SUM(B2:B8)" (a rule as in check, or a list; nothing is ' +
    'changed unless it holds). ' +
    'With enforce_validation: true a write refuses values that data validation does not allow.',
  errors: sheetErrors,
  bearerKeys: true,
  mcpAddress: '/api/v6/sheet/mcp',
  unsupported: {
    operation_sheet: 'it runs scripts that a caller sends. Call the other tools, or batch for several edits at once.',
  },
  watch: watchDocument,
  batchCalls: true,
  publicReads,
  publicKinds: ['sheet'],
  resources: [sheetResource],
  documents: [sheetDocument],
  operations: toolList,
  explainedOnce: ['file_url', 'return_changes', 'dry_run', 'assert', 'enforce_validation'],
  specified: Object.keys(specifiedTools),
  essential: ['read', 'write', 'inspect', 'query'],
  core: [
    'inspect',
    'read',
    'write',
    'query',
    'check',
    'append_rows',
    'edit_rows',
    'copy_range',
    'trace',
    'replace',
    'batch',
  ],
});
