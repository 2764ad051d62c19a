import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { legacyAnswer, legacyFields } from '../legacy-schema.ts';
import { fileId, title } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const rename_file_title = operation({
  name: 'rename_file_title',
  summary: 'Renames a spreadsheet, as rename_file does.',
  deprecated: 'use rename_file.',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId(), title: title() }),
  output: z.object({ file_id: text("The document's id."), title: text('Its new title.'), ...legacyFields }),
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'editor');
    return writeAndAnswer(
      context,
      () => context.sheets.rename(context.stamp, document.id, input.title),
      () => ({ ...input, ...legacyAnswer(context) }),
    );
  },
});
