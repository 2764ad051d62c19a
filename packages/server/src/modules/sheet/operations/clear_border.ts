import { buildBorders, borderPositionsField } from '../styles/borders.ts';
import { setBorder } from '@sheaf/engine/internal/mutations';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const clear_border = worksheetWriteTool({
  name: 'clear_border',
  summary: 'Removes the given borders of a region, or all of them.',
  idempotent: true,
  input: { ...regionFields, border_positions: borderPositionsField().optional() },
  plan(document, sub, input) {
    const at = input.border_positions?.length ? input.border_positions : [0, 1, 2, 3, 4, 5];
    return { mutations: [setBorder.of(buildBorders(sub.id, toRegionTuple(input), at, null))] };
  },
});
