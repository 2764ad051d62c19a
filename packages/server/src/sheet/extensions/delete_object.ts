import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { oneOf, text } from '../../operation/fields.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { writeTool } from '../calls/tool.ts';
import type { MarkList } from '@sheaf/engine/internal/document';
import { removeMark, removeName } from '@sheaf/engine/internal/mutations';
import { markOf } from '../parts/marks.ts';
import { rangesInstead } from '../parts/tables.ts';
import { changesField, done, fileFields } from '../schema.ts';

const lists: Record<string, MarkList> = {
  conditional_format: 'formats',
  validation: 'validations',
  comment: 'comments',
  table: 'tables',
};

export const delete_object = writeTool({
  name: 'delete_object',
  summary: 'Deletes a name, conditional format, data validation, comment thread or table (its cells stay).',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    object_type: oneOf('Its kind.', ['name', 'conditional_format', 'validation', 'comment', 'table']),
    object_id: text('Its id; of a name, the name.', { min: 1, max: 255 }),
    sheet_id: text('Its sub-sheet, if it has one.', { max: 64 }).optional(),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = input.sheet_id ? worksheetOf(document, input.sheet_id) : undefined;
    const list = lists[input.object_type];
    if (!list) {
      const found = document
        .names()
        .find((one) => one.name.toUpperCase() === input.object_id.toUpperCase() && one.sheet === sub?.id);
      if (!found)
        throw fail(
          'no_such_object',
          `object_id: there is no name ${JSON.stringify(input.object_id)} ${sub ? 'on this sub-sheet' : 'of the whole document'}`,
        );
      return { mutations: [removeName.of({ name: found.name, ...(sub ? { sheet: sub.id } : {}) })] };
    }
    if (!sub) throw fail('invalid_parameter', `sheet_id: is required with object_type ${input.object_type}`);
    const { id } = markOf(sub, list, input.object_id, 'object_id');
    const table = list === 'tables' ? markOf(sub, list, id, 'object_id') : undefined;
    return {
      mutations: [...(table ? rangesInstead(document, table) : []), removeMark.of({ sheet: sub.id, list, id })],
    };
  },
});
