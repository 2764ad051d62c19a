import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { removePivot } from '@sheaf/engine/internal/mutations';
import { requirePivotTable } from '../objects/pivot-tables.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const remove_pivot_table = worksheetWriteTool({
  name: 'remove_pivot_table',
  summary: 'Removes a pivot table and its output; its source is kept.',
  effect: 'destroy',
  input: { pivot_table_id: text('Which.', { min: 1, max: 64 }) },
  plan(document, sub, input) {
    const pivot = requirePivotTable(document, input.pivot_table_id);
    if (pivot.sheet !== sub.id)
      throw fail(
        'no_such_object',
        `pivot_table_id: ${JSON.stringify(pivot.id)} is on sub-sheet ${pivot.sheet}, not on ${sub.id}`,
      );
    return { mutations: [removePivot.of({ id: pivot.id })] };
  },
});
