import { z } from 'zod';
import { clearContents } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, regionFields, toRegionTuple, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_range_cells = writeTool({
  name: 'clear_range_cells',
  summary:
    'Clears the cells of a region but keeps their styles. To clear styles use clear_range_style; to clear both use clear_range_all.',
  effect: 'destroy',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...regionFields, ...writeOptionFields }),
  output: writeOutput,
  plan(document, input) {
    requireWorksheet(document, input.sheet_id);
    const region = toRegionTuple(input);
    return { mutations: [clearContents.of({ sheet: input.sheet_id, region })] };
  },
});
