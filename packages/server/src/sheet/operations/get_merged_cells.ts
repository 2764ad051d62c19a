import { z } from 'zod';
import { list, text } from '../../operation/fields.ts';
import { rectOf } from '@sheaf/engine/internal/document';
import { subSheetOf } from '../calls/lookup.ts';
import { rangeText } from '../reading/range-text.ts';
import { fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const get_merged_cells = readTool({
  name: 'get_merged_cells',
  summary: 'Lists the merged ranges that touch a region, as <sheet_id>$A1:B2.',
  input: z.object({ ...fileFields, ...sheetField, ...r4 }),
  output: z.object({ merged_cells: list('From the top down.', text('A merged range.')) }),
  read(document, input) {
    const sub = subSheetOf(document, input.sheet_id);
    return { merged_cells: sub.merges.meeting(rectOf(checkedRegion(input))).map((rect) => rangeText(sub.id, rect)) };
  },
});
