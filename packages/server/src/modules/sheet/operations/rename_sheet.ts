import { text } from '../../../kernel/field-schemas.ts';
import { renameSheet } from '@sheaf/engine/internal/mutations';
import { requireSubSheet } from '../calls/sheet-lookup.ts';
import { sheetField } from '../schema.ts';
import { checkSheetName } from '../objects/sheet-names.ts';
import { writeTool } from '../calls/tool.ts';

export const rename_sheet = writeTool({
  name: 'rename_sheet',
  summary: "Renames a sub-sheet; formulas follow. For the document's title use manage_rename_file.",
  idempotent: true,
  input: { ...sheetField, name: text('The new name.', { min: 1, max: 31 }) },
  plan(document, input) {
    const sub = requireSubSheet(document, input.sheet_id);
    const name = checkSheetName(document, input.name, sub);
    if (name === sub.name) return { mutations: [] };
    return { mutations: [renameSheet.of({ sheet: sub.id, name })] };
  },
});
