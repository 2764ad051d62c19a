import { z } from 'zod';
import { aliasField, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileId, fileUrl, title } from '../schema.ts';

export const copy_file = operation({
  name: 'copy_file',
  summary: "Copies a spreadsheet as it is now into a new one of the caller's, with a history of its own.",
  effect: 'write',
  input: z.object({
    file_id: fileId(),
    title: title().optional(),
    folder_id: aliasField(text('Not used: spreadsheets have no folders.', { max: 128 }).optional()),
  }),
  output: z.object({
    file_id: text("The copy's id."),
    id: text('The same as file_id, for older clients.'),
    title: text('Its title.'),
    url: text('Address of the spreadsheet in the browser.'),
  }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'viewer');
    const name = input.title ?? `${[...document.title].slice(0, 248).join('')} (copy)`;
    return context.documents.copy(context, document, name, (id) => ({
      file_id: id,
      id,
      title: name,
      url: fileUrl(context.publicUrl.url, id),
    }));
  },
});
