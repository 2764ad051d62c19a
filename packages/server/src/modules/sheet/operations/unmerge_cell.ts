import { rectOf, regionOf } from '@sheaf/engine/internal/document';
import { unmerge } from '@sheaf/engine/internal/mutations';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const unmerge_cell = worksheetWriteTool({
  name: 'unmerge_cell',
  summary: 'Unmerges every merge that touches a region.',
  idempotent: true,
  input: { ...regionFields },
  plan(document, sub, input) {
    const regions = sub.merges.meeting(rectOf(toRegionTuple(input))).map(regionOf);
    return { mutations: regions.length > 0 ? [unmerge.of({ sheet: sub.id, regions })] : [] };
  },
});
