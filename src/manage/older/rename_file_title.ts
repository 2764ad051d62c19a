import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { olderAnswer, olderFields } from '../older-shapes.ts';
import { rename_file } from '../operations/rename_file.ts';
import { fileId, title } from '../schema.ts';

export const rename_file_title = operation({
  name: 'rename_file_title',
  summary: 'Renames a spreadsheet, as rename_file does.',
  deprecated: 'use rename_file.',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId(), title: title() }),
  output: z.object({ file_id: text("The document's id."), title: text('Its new title.'), ...olderFields }),
  async run(input, context) {
    await rename_file.run(input, context);
    return { ...input, ...olderAnswer(context) };
  },
});
