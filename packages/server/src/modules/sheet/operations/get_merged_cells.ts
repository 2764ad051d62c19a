import { list, text } from '../../../kernel/field-schemas.ts';
import { rectOf } from '@sheaf/engine/internal/document';
import { requireSubSheet } from '../calls/sheet-lookup.ts';
import { formatRange } from '../reading/format-range.ts';
import { regionFields, toRegionTuple, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const get_merged_cells = readTool({
  name: 'get_merged_cells',
  summary: 'Lists the merged ranges that touch a region, as <sheet_id>$A1:B2.',
  input: { ...sheetField, ...regionFields },
  output: { merged_cells: list('From the top down.', text('A merged range.')) },
  read(document, input) {
    const sub = requireSubSheet(document, input.sheet_id);
    return { merged_cells: sub.merges.meeting(rectOf(toRegionTuple(input))).map((rect) => formatRange(sub.id, rect)) };
  },
});
