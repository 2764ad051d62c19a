import { text } from '../../../kernel/field-schemas.ts';
import { maxTextLength } from '../cells/cell-input.ts';
import { setLink, setValues, type Mutation } from '@sheaf/engine/internal/mutations';
import { checkLink } from '../objects/links.ts';
import { colField, rowField } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const set_link = worksheetWriteTool({
  name: 'set_link',
  summary:
    'Turns a cell into a link: http, https, mailto, or # and a location in the document. An empty cell shows ' +
    'the address.',
  idempotent: true,
  input: {
    row: rowField(),
    col: colField(),
    url: text('Link target.', { min: 1, max: 2048 }),
    display_text: text('Displayed text of the cell.', { max: maxTextLength }).optional(),
  },
  plan(document, sub, input, call) {
    const url = checkLink(input.url);
    const mutations: Mutation[] = [];
    const shown = input.display_text || (document.value(sub, input.row, input.col) === null ? url : undefined);
    const isShown =
      shown === undefined ||
      (document.value(sub, input.row, input.col) === shown &&
        document.formula(sub, input.row, input.col) === undefined &&
        !sub.rich.get(input.row, input.col));
    if (isShown && sub.links.get(input.row, input.col)?.url === url) return { mutations };
    if (shown !== undefined) mutations.push(setValues.of({ sheet: sub.id, values: [[input.row, input.col, [shown]]] }));
    mutations.push(setLink.of({ sheet: sub.id, links: [[input.row, input.col, { id: call.newId('link'), url }]] }));
    return { mutations };
  },
});
