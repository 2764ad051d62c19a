import { z } from 'zod';
import { emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileId, title } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const rename_file = operation({
  name: 'rename_file',
  summary: 'Renames a spreadsheet. For a sub-sheet use sheet_rename_sheet.',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId(), title: title() }),
  output: emptyObject,
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'editor');
    return writeAndAnswer(
      context,
      () => context.sheets.rename(context.stamp, document.id, input.title),
      () => ({}),
    );
  },
});
