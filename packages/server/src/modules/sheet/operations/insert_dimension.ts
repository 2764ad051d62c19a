import { invalid, overLimit } from '../errors.ts';
import { integer, oneOf } from '../../../kernel/field-schemas.ts';
import { insertDimension } from '@sheaf/engine/internal/mutations';
import { findInsertionLimit } from '../cells/insertion-limit.ts';
import { maxRows } from '@sheaf/engine';
import { dimensionField, axisLimit } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const insert_dimension = worksheetWriteTool({
  name: 'insert_dimension',
  summary:
    'Inserts empty rows or columns; those after them shift, and formulas follow. For part of a row or column ' +
    'use insert_range.\nExample (two rows above row 5): {"dimension_type":"row","index":4,"count":2}',
  input: {
    ...dimensionField,
    index: integer('0-based.', { min: 0, max: maxRows - 1 }),
    count: integer('How many.', { min: 1, max: maxRows }),
    direction: oneOf('Side of index. Default: before.', ['before', 'after']).optional(),
  },
  plan(document, sub, input) {
    const axis = input.dimension_type;
    const at = input.index + (input.direction === 'after' ? 1 : 0);
    const size = axis === 'row' ? sub.rows : sub.cols;
    if (at > size) throw invalid(`index: must be at most ${size - 1}, the last ${axis} (got ${input.index})`);
    const held = findInsertionLimit(document, sub, axis) + 1;
    const pushed = at < held ? held : at;
    if (pushed + input.count > axisLimit(axis)) {
      throw overLimit(
        `count: ${input.count} more than the ${pushed} ${axis}s that are not empty would exceed ${axisLimit(axis)}`,
      );
    }
    return { mutations: [insertDimension.of({ sheet: sub.id, axis, at, count: input.count })] };
  },
});
