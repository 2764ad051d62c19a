import { setFreeze } from '@sheaf/engine/internal/mutations';
import { worksheetWriteTool } from '../calls/tool.ts';

export const unset_freeze = worksheetWriteTool({
  name: 'unset_freeze',
  summary: 'Unfreezes all frozen rows and columns.',
  idempotent: true,
  input: {},
  plan(document, sub) {
    const { freeze } = sub;
    if (freeze.rows === 0 && freeze.cols === 0) return { mutations: [] };
    return { mutations: [setFreeze.of({ sheet: sub.id, rows: 0, cols: 0 })] };
  },
});
