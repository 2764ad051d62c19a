import { z } from 'zod';
import { clearContents, setStyle } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_range_all = writeTool({
  name: 'clear_range_all',
  summary: 'Clears the cells of a region and their styles. To remove the rows or columns use delete_dimension.',
  effect: 'destroy',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...r4, ...changesField }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    const region = checkedRegion(input);
    return {
      mutations: [
        clearContents.of({ sheet: input.sheet_id, region }),
        setStyle.of({ sheet: input.sheet_id, region, clear: 'all' }),
      ],
    };
  },
});
