import { refuseMissingLines } from '../calls/sheet-lookup.ts';
import { invalid } from '../errors.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import { moveLines } from '@sheaf/engine/internal/mutations';
import { maxRows } from '@sheaf/engine';
import { dimensionField } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const move_dimension = worksheetWriteTool({
  name: 'move_dimension',
  summary:
    'Moves rows or columns before the one that is numbered `to` until then; formulas follow. To order rows by ' +
    'value use sort_range.',
  input: {
    ...dimensionField,
    index: integer('First row or column to move.', { min: 0, max: maxRows - 1 }),
    count: integer('How many.', { min: 1, max: maxRows }),
    to: integer('Row or column to move before.', { min: 0, max: maxRows }),
  },
  plan(document, sub, input) {
    const axis = input.dimension_type;
    const size = axis === 'row' ? sub.rows : sub.cols;
    const end = input.index + input.count;
    refuseMissingLines(sub, axis, input.index, end - 1, 'count');
    if (input.to > size) throw invalid(`to: must be at most ${size} (got ${input.to})`);
    if (input.to > input.index && input.to < end)
      throw invalid(`to: must not be inside the moved block, ${input.index} to ${end - 1} (got ${input.to})`);
    if (input.to === input.index || input.to === end) return { mutations: [] };
    return {
      mutations: [moveLines.of({ sheet: sub.id, axis, from: input.index, count: input.count, to: input.to })],
    };
  },
});
