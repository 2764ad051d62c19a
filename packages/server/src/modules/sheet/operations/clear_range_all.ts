import { z } from 'zod';
import { clearContents, setStyle } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, regionFields, toRegionTuple, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_range_all = writeTool({
  name: 'clear_range_all',
  summary: 'Clears the cells of a region and their styles. To remove the rows or columns use delete_dimension.',
  effect: 'destroy',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...regionFields, ...writeOptionFields }),
  output: writeOutput,
  plan(document, input) {
    requireWorksheet(document, input.sheet_id);
    const region = toRegionTuple(input);
    return {
      mutations: [
        clearContents.of({ sheet: input.sheet_id, region }),
        setStyle.of({ sheet: input.sheet_id, region, clear: 'all' }),
      ],
    };
  },
});
