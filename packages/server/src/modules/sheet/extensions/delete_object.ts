import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { oneOf, text } from '../../../kernel/field-schemas.ts';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeTool } from '../calls/tool.ts';
import type { RangeObjectKind } from '@sheaf/engine/internal/document';
import { removeMark, removeName } from '@sheaf/engine/internal/mutations';
import { requireRangeObject } from '../objects/range-objects.ts';
import { replaceTableReferences } from '../objects/tables.ts';

const lists: Record<string, RangeObjectKind> = {
  conditional_format: 'formats',
  validation: 'validations',
  comment: 'comments',
  table: 'tables',
};

export const delete_object = writeTool({
  name: 'delete_object',
  summary: 'Deletes a name, conditional format, data validation, comment thread or table (its cells stay).',
  effect: 'destroy',
  input: {
    object_type: oneOf('Its kind.', ['name', 'conditional_format', 'validation', 'comment', 'table']),
    object_id: text('Its id; of a name, the name.', { min: 1, max: 255 }),
    sheet_id: text('Its sub-sheet, if it has one.', { max: 64 }).optional(),
  },
  plan(document, input) {
    const sub = input.sheet_id ? requireWorksheet(document, input.sheet_id) : undefined;
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
    if (!sub) throw invalid(`sheet_id: is required with object_type ${input.object_type}`);
    const { id } = requireRangeObject(sub, list, input.object_id, 'object_id');
    const table = list === 'tables' ? requireRangeObject(sub, list, id, 'object_id') : undefined;
    return {
      mutations: [
        ...(table ? replaceTableReferences(document, table) : []),
        removeMark.of({ sheet: sub.id, list, id }),
      ],
    };
  },
});
