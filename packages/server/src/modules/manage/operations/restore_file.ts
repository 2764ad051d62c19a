import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const restore_file = operation({
  name: 'restore_file',
  summary: 'Restores a spreadsheet from the trash (list_files with deleted).',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId() }),
  output: emptyObject,
  async run(input, context) {
    const found = await context.sheets.find(input.file_id, context.caller.userId);
    if (found?.role !== 'owner')
      throw fail('no_such_file', `file_id: there is no document ${JSON.stringify(input.file_id)} of yours`);
    return writeAndAnswer(
      context,
      () => context.sheets.setDeleted(context.stamp, found.document.id, null),
      () => ({}),
    );
  },
});
