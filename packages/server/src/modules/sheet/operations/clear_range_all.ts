import { clearContents, setStyle } from '@sheaf/engine/internal/mutations';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const clear_range_all = worksheetWriteTool({
  name: 'clear_range_all',
  summary: 'Clears the cells of a region and their styles.',
  effect: 'destroy',
  idempotent: true,
  input: { ...regionFields },
  plan(document, sub, input) {
    const region = toRegionTuple(input);
    return {
      mutations: [clearContents.of({ sheet: sub.id, region }), setStyle.of({ sheet: sub.id, region, clear: 'all' })],
    };
  },
});
