import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { olderAnswer, olderFields } from '../older-shapes.ts';
import { fileId, title } from '../schema.ts';
import { answered } from '../../operation/stored-answer.ts';

export const rename_file_title = operation({
  name: 'rename_file_title',
  summary: 'Renames a spreadsheet, as rename_file does.',
  deprecated: 'use rename_file.',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId(), title: title() }),
  output: z.object({ file_id: text("The document's id."), title: text('Its new title.'), ...olderFields }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'editor');
    return answered(
      context,
      () => context.sheets.rename(context.stamp, document.id, input.title),
      () => ({ ...input, ...olderAnswer(context) }),
    );
  },
});
