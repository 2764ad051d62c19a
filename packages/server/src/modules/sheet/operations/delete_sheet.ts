import { fail } from '../../../kernel/errors.ts';
import { deleteSheet } from '@sheaf/engine/internal/mutations';
import { hasOtherVisibleSheet, requireSubSheet } from '../calls/sheet-lookup.ts';
import { sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_sheet = writeTool({
  name: 'delete_sheet',
  summary: 'Deletes a sub-sheet; references to it become #REF!. revert restores it.',
  effect: 'destroy',
  input: { ...sheetField },
  plan(document, input) {
    const own = requireSubSheet(document, input.sheet_id);
    if (document.subSheets.length === 1)
      throw fail('conflict', 'sheet_id: a document must keep at least one sub-sheet');
    if (!hasOtherVisibleSheet(document, own))
      throw fail('conflict', 'sheet_id: at least one sub-sheet must stay visible; show another one first');
    return { mutations: [deleteSheet.of({ sheet: input.sheet_id })] };
  },
});
