import { z } from 'zod';
import { buildBorders, borderPositionsField } from '../styles/borders.ts';
import { setBorder } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, regionFields, toRegionTuple, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_border = writeTool({
  name: 'clear_border',
  summary: 'Removes the given borders of a region, or all of them.',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    ...regionFields,
    border_positions: borderPositionsField().optional(),
    ...writeOptionFields,
  }),
  output: writeOutput,
  plan(document, input) {
    requireWorksheet(document, input.sheet_id);
    const at = input.border_positions?.length ? input.border_positions : [0, 1, 2, 3, 4, 5];
    return { mutations: [setBorder.of(buildBorders(input.sheet_id, toRegionTuple(input), at, null))] };
  },
});
