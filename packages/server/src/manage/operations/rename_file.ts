import { z } from 'zod';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { fileId, title } from '../schema.ts';
import { answered } from '../../operation/stored-answer.ts';

export const rename_file = operation({
  name: 'rename_file',
  summary: 'Renames a spreadsheet. For a sub-sheet use sheet_rename_sheet.',
  effect: 'write',
  idempotent: true,
  input: z.object({ file_id: fileId(), title: title() }),
  output: nothing,
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'editor');
    return answered(
      context,
      () => context.sheets.rename(context.stamp, document.id, input.title),
      () => ({}),
    );
  },
});
