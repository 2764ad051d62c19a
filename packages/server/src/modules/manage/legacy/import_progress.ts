import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { finishedProgress, legacyAnswer, legacyFields, progressFields } from '../legacy-schema.ts';
import { fileUrl } from '../schema.ts';

export const import_progress = operation({
  name: 'import_progress',
  summary: 'Returns the spreadsheet that async_import or import_file made.',
  deprecated: 'use import_file, which answers with the spreadsheet.',
  effect: 'read',
  input: z.object({ task_id: text('From async_import or import_file.', { min: 1, max: 128 }) }),
  output: z.object({
    ...progressFields,
    file_id: text("The new document's id."),
    file_name: text('Its title.'),
    file_url: text('Address of the spreadsheet in the browser.'),
    ...legacyFields,
  }),
  async run({ task_id }, context) {
    const { document } = await context.documents.access(context, task_id, 'viewer');
    return {
      ...finishedProgress,
      file_id: document.id,
      file_name: document.title,
      file_url: fileUrl(context.publicUrl.url, document.id),
      ...legacyAnswer(context),
    };
  },
});
