import { z } from 'zod';
import { setStyle } from '@sheaf/engine/internal/mutations';
import { richTextsUnder } from '../cells/rich-styles.ts';
import { rectOf } from '@sheaf/engine/internal/document';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_range_style = writeTool({
  name: 'clear_range_style',
  summary: 'Clears all styles, number formats and borders of a region but keeps the contents of its cells.',
  effect: 'destroy',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...r4, ...changesField }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const region = checkedRegion(input);
    return {
      mutations: [setStyle.of({ sheet: sub.id, region, clear: 'all' }), ...richTextsUnder(sub, rectOf(region), 'all')],
    };
  },
});
