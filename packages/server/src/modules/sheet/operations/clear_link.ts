import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { clearLink } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, colField, writeOutput, fileFields, rowField, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_link = writeTool({
  name: 'clear_link',
  summary: 'Removes the link from a cell but keeps its text.',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    ...sheetField,
    row: rowField(),
    col: colField(),
    link_id: text('Id the link must have for the call to apply.', { max: 64 }).optional(),
    ...writeOptionFields,
  }),
  output: writeOutput,
  plan(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    const link = sub.links.get(input.row, input.col);
    if (input.link_id && link?.id !== input.link_id)
      throw fail('no_such_object', `link_id: the cell has no link ${JSON.stringify(input.link_id)}`);
    return { mutations: link ? [clearLink.of({ sheet: sub.id, cells: [[input.row, input.col]] })] : [] };
  },
});
