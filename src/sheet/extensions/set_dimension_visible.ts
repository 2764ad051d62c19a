import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { flag, integer } from '../../operation/fields.ts';
import type { Runs } from '../engine/document.ts';
import { type Mutation, setGroups, setVisible } from '../engine/mutations.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { maxRows } from '../engine/index.ts';
import { changesField, dimensionField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const set_dimension_visible = writeTool({
  name: 'set_dimension_visible',
  summary:
    'Hides, shows or groups whole rows or columns. For rows hidden by a filter use update_filter.\nExample: ' +
    '{"dimension_type":"col","index":2,"count":1,"visible":false}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    ...dimensionField,
    index: integer('First row or column, starting at 0.', { min: 0, max: maxRows - 1 }),
    count: integer('Number of rows or columns.', { min: 1, max: maxRows }),
    visible: flag('Whether the rows or columns are visible.').optional(),
    outline_level: integer('Depth of their group; 0 for none.', { min: 0, max: 7 }).optional(),
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
    if (input.visible === undefined && input.outline_level === undefined)
      throw fail('invalid_parameter', 'visible: is required');
    const mutations: Mutation[] = [];
    const hidden = axis === 'row' ? sub.hiddenRows : sub.hiddenCols;
    const isSet = input.visible === undefined || hidden.count(input.index, last) === (input.visible ? 0 : input.count);
    if (!isSet)
      mutations.push(setVisible.of({ sheet: sub.id, axis, runs: [[input.index, last, input.visible ? 0 : 1]] }));
    const level = input.outline_level;
    if (level !== undefined && !isAtDepth(axis === 'row' ? sub.rowGroups : sub.colGroups, input.index, last, level))
      mutations.push(setGroups.of({ sheet: sub.id, axis, runs: [[input.index, last, level]] }));
    return { mutations };
  },
});

function isAtDepth(groups: Runs, first: number, last: number, level: number): boolean {
  let isSame = true;
  groups.each(first, last, (_, __, depth) => {
    isSame &&= depth === level;
  });
  return isSame;
}
