import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { clearLink } from '@sheaf/engine/internal/mutations';
import { colField, rowField } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const clear_link = worksheetWriteTool({
  name: 'clear_link',
  summary: 'Removes the link from a cell but keeps its text.',
  effect: 'destroy',
  input: {
    row: rowField(),
    col: colField(),
    link_id: text('Id the link must have for the call to apply.', { max: 64 }).optional(),
  },
  plan(document, sub, input) {
    const link = sub.links.get(input.row, input.col);
    if (input.link_id && link?.id !== input.link_id)
      throw fail('no_such_object', `link_id: the cell has no link ${JSON.stringify(input.link_id)}`);
    return { mutations: link ? [clearLink.of({ sheet: sub.id, cells: [[input.row, input.col]] })] : [] };
  },
});
