import { z } from 'zod';
import { clearContents } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_range_cells = writeTool({
  name: 'clear_range_cells',
  summary:
    'Clears the cells of a region but keeps their styles. To clear styles use clear_range_style; to clear both use clear_range_all.',
  effect: 'destroy',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...r4, ...changesField }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    const region = checkedRegion(input);
    return { mutations: [clearContents.of({ sheet: input.sheet_id, region })] };
  },
});
