import { z } from 'zod';
import { rectOf, regionOf } from '@sheaf/engine/internal/document';
import { unmerge } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const unmerge_cell = writeTool({
  name: 'unmerge_cell',
  summary: 'Unmerges every merged range that touches a region; the value stays in the top-left cell.',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...r4, ...changesField }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const regions = sub.merges.meeting(rectOf(checkedRegion(input))).map(regionOf);
    return { mutations: regions.length > 0 ? [unmerge.of({ sheet: input.sheet_id, regions })] : [] };
  },
});
