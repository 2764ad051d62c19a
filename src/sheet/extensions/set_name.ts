import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { writeTool } from '../calls/tool.ts';
import { defineName } from '../engine/mutations.ts';
import { changesField, done, fileFields } from '../schema.ts';

export const set_name = writeTool({
  name: 'set_name',
  summary: 'Defines a name for a range or formula, or changes what it stands for. To remove it use delete_object.',
  idempotent: true,
  input: z.object({
    ...fileFields,
    name: text('Letters, digits, . and _.', { min: 1, max: 255 }),
    refers_to: text('E.g. =Sheet1!$A$1:$B$9.', { min: 1, max: 8192 }),
    sheet_id: text('Sub-sheet it is limited to; the whole document if omitted.', { max: 64 }).optional(),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const scope = input.sheet_id ? { sheet: worksheetOf(document, input.sheet_id).id } : {};
    const formula = input.refers_to.startsWith('=') ? input.refers_to : `=${input.refers_to}`;
    const same = document
      .names()
      .some((one) => one.name === input.name && one.sheet === scope.sheet && one.formula === formula);
    return { mutations: same ? [] : [defineName.of({ name: input.name, ...scope, formula })] };
  },
});
