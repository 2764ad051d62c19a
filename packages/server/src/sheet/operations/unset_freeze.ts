import { z } from 'zod';
import { setFreeze } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const unset_freeze = writeTool({
  name: 'unset_freeze',
  summary: 'Unfreezes all frozen rows and columns.',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...changesField }),
  output: done,
  plan(document, input) {
    const { freeze } = worksheetOf(document, input.sheet_id);
    if (freeze.rows === 0 && freeze.cols === 0) return { mutations: [] };
    return { mutations: [setFreeze.of({ sheet: input.sheet_id, rows: 0, cols: 0 })] };
  },
});
