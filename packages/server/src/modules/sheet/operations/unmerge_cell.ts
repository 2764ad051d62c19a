import { z } from 'zod';
import { rectOf, regionOf } from '@sheaf/engine/internal/document';
import { unmerge } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, regionFields, toRegionTuple, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const unmerge_cell = writeTool({
  name: 'unmerge_cell',
  summary: 'Unmerges every merged range that touches a region; the value stays in the top-left cell.',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...regionFields, ...writeOptionFields }),
  output: writeOutput,
  plan(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    const regions = sub.merges.meeting(rectOf(toRegionTuple(input))).map(regionOf);
    return { mutations: regions.length > 0 ? [unmerge.of({ sheet: input.sheet_id, regions })] : [] };
  },
});
