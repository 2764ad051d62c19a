import { z } from 'zod';
import { oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileUrl, title } from '../schema.ts';

export const create_file = operation({
  name: 'create_file',
  summary: 'Creates a spreadsheet with one empty sub-sheet.\nExample: {"title":"Budget"}',
  effect: 'write',
  input: z.object({
    title: title(),
    file_type: oneOf('Always sheet.', ['sheet']).optional(),
  }),
  output: z.object({
    file_id: text("The new document's id."),
    title: text('Its title.'),
    url: text('Address of the spreadsheet in the browser.'),
    sheet_id: text('Its first sub-sheet.'),
  }),
  async run(input, context) {
    return context.documents.create(context, input.title, ({ id, sheetId }) => ({
      file_id: id,
      title: input.title,
      url: fileUrl(context.publicUrl.url, id),
      sheet_id: sheetId,
    }));
  },
});
