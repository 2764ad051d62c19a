import { z } from 'zod';
import { bordersAt, positions } from '../parts/borders.ts';
import { setBorder } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_border = writeTool({
  name: 'clear_border',
  summary: 'Removes the given borders of a region, or all of them.',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...r4, border_positions: positions().optional(), ...changesField }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    const at = input.border_positions?.length ? input.border_positions : [0, 1, 2, 3, 4, 5];
    return { mutations: [setBorder.of(bordersAt(input.sheet_id, checkedRegion(input), at, null))] };
  },
});
