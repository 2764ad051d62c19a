import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { finishedProgress, legacyAnswer, legacyFields, progressFields } from '../legacy-schema.ts';
import { export_file } from '../operations/export_file.ts';

export const export_progress = operation({
  name: 'export_progress',
  summary: 'Returns a link to the .xlsx file of a spreadsheet, valid for one hour. The file is stored until then.',
  deprecated: 'use export_file with as_link.',
  // Declared as a read, as export_file is. The linked file is stored by `export_file.run`, which refuses callers
  // without write access.
  effect: 'read',
  input: z.object({ task_id: text('From export_file.', { min: 1, max: 128 }) }),
  output: z.object({
    ...progressFields,
    file_name: text('Suggested file name.'),
    file_url: text('Download address.'),
    ...legacyFields,
  }),
  async run({ task_id }, context) {
    const made = await export_file.run({ file_id: task_id, format: 'xlsx', as_link: true }, context);
    const { file_name, url } = made as { file_name: string; url: string };
    return { ...finishedProgress, file_name, file_url: url, ...legacyAnswer(context) };
  },
});
