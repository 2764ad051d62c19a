import { refuseMissingLines } from '../calls/sheet-lookup.ts';
import { invalid } from '../errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { deleteDimension } from '@sheaf/engine/internal/mutations';
import { maxRows } from '@sheaf/engine';
import { dimensionField } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const delete_dimension = worksheetWriteTool({
  name: 'delete_dimension',
  summary:
    'Deletes whole rows or columns; those after them shift, references to them become #REF!. To clear cells ' +
    'use clear_range_cells.',
  effect: 'destroy',
  input: {
    ...dimensionField,
    index: integer('First one, 0-based.', { min: 0, max: maxRows - 1 }),
    count: integer('How many.', { min: 1, max: maxRows }),
  },
  plan(document, sub, input) {
    const axis = input.dimension_type;
    const size = axis === 'row' ? sub.rows : sub.cols;
    refuseMissingLines(sub, axis, input.index, input.index + input.count - 1, 'count');
    if (input.count === size) throw invalid(`count: a sub-sheet must keep at least one ${axis} (it has ${size})`);
    return { mutations: [deleteDimension.of({ sheet: sub.id, axis, at: input.index, count: input.count })] };
  },
});
