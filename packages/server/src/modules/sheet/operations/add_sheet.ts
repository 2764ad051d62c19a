import { invalid } from '../errors.ts';
import { flag, integer, text } from '../../../kernel/field-schemas.ts';
import { addSheet } from '@sheaf/engine/internal/mutations';
import { newSheetId } from '../objects/sheet-id.ts';
import { checkSheetName, findFreeSheetName } from '../objects/sheet-names.ts';
import { writeTool } from '../calls/tool.ts';

export const add_sheet = writeTool({
  name: 'add_sheet',
  summary: 'Adds an empty sub-sheet of 200 rows and 26 columns. To copy one use copy_sheet.',
  input: {
    name: text('Name; an unused one if omitted.', { max: 31 }).optional(),
    index: integer('Tab position, 0-based; the end if omitted.', { min: 0 }).optional(),
    append_index: flag('Whether to place it at the end.').optional(),
  },
  output: { sheet_id: text('The new sub-sheet.') },
  plan(document, input) {
    const count = document.subSheets.length;
    const at = input.append_index || input.index === undefined ? count : input.index;
    if (at > count) throw invalid(`index: must be at most ${count}, the number of sub-sheets (got ${at})`);
    const name = input.name ? checkSheetName(document, input.name) : findFreeSheetName(document, 'Sheet');
    const sheet = newSheetId();
    return { mutations: [addSheet.of({ sheet, name, at })], data: { sheet_id: sheet } };
  },
});
