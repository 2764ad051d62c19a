import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { flag, integer } from '../../operation/fields.ts';
import { setVisible } from '../engine/mutations.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { maxRows } from '../engine/index.ts';
import { changesField, dimensionField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const set_dimension_visible = writeTool({
  name: 'set_dimension_visible',
  summary:
    'Hides or shows whole rows or columns. For rows hidden by a filter use update_filter.\nExample: ' +
    '{"dimension_type":"col","index":2,"count":1,"visible":false}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    ...dimensionField,
    index: integer('First row or column, starting at 0.', { min: 0, max: maxRows - 1 }),
    count: integer('Number of rows or columns.', { min: 1, max: maxRows }),
    visible: flag('Whether the rows or columns are visible.'),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const axis = input.dimension_type;
    const size = axis === 'row' ? sub.rows : sub.cols;
    const last = input.index + input.count - 1;
    if (last >= size)
      throw fail(
        'invalid_parameter',
        `count: ${axis}s ${input.index} to ${last} do not all exist; the last is ${size - 1}`,
      );
    const hidden = axis === 'row' ? sub.hiddenRows : sub.hiddenCols;
    const already = hidden.count(input.index, last);
    if (already === (input.visible ? 0 : input.count)) return { mutations: [] };
    return { mutations: [setVisible.of({ sheet: sub.id, axis, runs: [[input.index, last, input.visible ? 0 : 1]] })] };
  },
});
