import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { documentTopic } from '../../sheet/news.ts';
import { fileId } from '../schema.ts';
import { answered } from '../../operation/stored-answer.ts';

export const delete_file = operation({
  name: 'delete_file',
  summary: "Moves a spreadsheet to its owner's trash. restore_file can restore it within 30 days.",
  effect: 'destroy',
  input: z.object({ file_id: fileId() }),
  output: nothing,
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    const data = await answered(
      context,
      () => context.sheets.setDeleted(context.stamp, document.id, context.clock.now()),
      () => ({}),
    );
    accessChanged(context, { topic: documentTopic(document.id) });
    return data;
  },
});
