import { clearContents } from '@sheaf/engine/internal/mutations';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const clear_range_cells = worksheetWriteTool({
  name: 'clear_range_cells',
  summary: 'Clears the cells of a region but keeps their styles; clear_range_all clears both.',
  effect: 'destroy',
  idempotent: true,
  input: { ...regionFields },
  plan(document, sub, input) {
    const region = toRegionTuple(input);
    return { mutations: [clearContents.of({ sheet: sub.id, region })] };
  },
});
