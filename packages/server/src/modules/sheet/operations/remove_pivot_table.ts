import { text } from '../../../kernel/field-schemas.ts';
import { removePivot } from '@sheaf/engine/internal/mutations';
import { requirePivotOn } from '../objects/pivot-tables.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const remove_pivot_table = worksheetWriteTool({
  name: 'remove_pivot_table',
  summary: 'Removes a pivot table and its output; its source is kept.',
  effect: 'destroy',
  input: { pivot_table_id: text('Which.', { min: 1, max: 64 }) },
  plan(document, sub, input) {
    const pivot = requirePivotOn(document, sub, input.pivot_table_id);
    return { mutations: [removePivot.of({ id: pivot.id })] };
  },
});
