import { fail } from '../../../kernel/errors.ts';
import { hasOtherVisibleSheet } from '../calls/sheet-lookup.ts';
import { worksheetWriteTool } from '../calls/tool.ts';
import type { SheetSetup } from '@sheaf/engine/internal/document';
import { setSetup } from '@sheaf/engine/internal/mutations';
import { normalizeArgb } from '../styles/colors.ts';
import { sheetPropertyFields } from '../objects/sheet-properties.ts';

export const set_sheet_properties = worksheetWriteTool({
  name: 'set_sheet_properties',
  summary: 'Hides a sub-sheet, sets its tab color, zoom, gridlines or default sizes; fields not sent are unchanged.',
  idempotent: true,
  input: { ...sheetPropertyFields },
  plan(document, sub, input) {
    if (input.visibility !== undefined && input.visibility !== 'visible' && !hasOtherVisibleSheet(document, sub))
      throw fail('conflict', 'visibility: at least one sub-sheet must stay visible');
    const set: Record<string, unknown> = { ...sub.setup };
    const put = (key: keyof SheetSetup, value: unknown, usual: unknown): void => {
      if (value === undefined) return;
      if (value === usual) delete set[key];
      else set[key] = value;
    };
    put('visibility', input.visibility === 'very_hidden' ? 'veryHidden' : input.visibility, 'visible');
    put('tabColor', input.tab_color && `rgb="${normalizeArgb('tab_color', input.tab_color)}"`, '');
    put('zoom', input.zoom, 100);
    put('gridlines', input.gridlines, true);
    put('colWidth', input.default_col_width, 0);
    put('rowHeight', input.default_row_height, 0);
    return { mutations: [setSetup.of({ sheet: sub.id, setup: set as SheetSetup })] };
  },
});
