import { z } from 'zod';
import { setFreeze } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const unset_freeze = writeTool({
  name: 'unset_freeze',
  summary: 'Unfreezes all frozen rows and columns.',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...writeOptionFields }),
  output: writeOutput,
  plan(document, input) {
    const { freeze } = requireWorksheet(document, input.sheet_id);
    if (freeze.rows === 0 && freeze.cols === 0) return { mutations: [] };
    return { mutations: [setFreeze.of({ sheet: input.sheet_id, rows: 0, cols: 0 })] };
  },
});
