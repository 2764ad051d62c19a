import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { titleFromFileName } from '../imported-file.ts';
import { legacyAnswer, legacyFields } from '../legacy-schema.ts';
import { importSpreadsheet } from '../operations/import_file.ts';

export const async_import = operation({
  name: 'async_import',
  summary:
    'Imports what was uploaded with pre_import, as import_file does; import_progress then returns the spreadsheet.',
  deprecated: 'use import_file, which answers with the spreadsheet.',
  effect: 'write',
  input: z.object({
    file_key: text('From pre_import.', { min: 1, max: 200 }),
    file_name: text('File name; the title without its ending.', { min: 1, max: 255 }),
    file_md5: text('MD5 of the file in hexadecimal; checked if sent.', { max: 32 }).optional(),
  }),
  output: z.object({ task_id: text('Pass it to import_progress.'), ...legacyFields }),
  run({ file_key, file_name, file_md5 }, context) {
    return importSpreadsheet({ title: titleFromFileName(file_name), file_key, file_md5 }, context, ({ id }) => ({
      task_id: id,
      ...legacyAnswer(context),
    }));
  },
});
