import { z } from 'zod';
import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { documentTopic } from '../../sheet/events.ts';
import { fileId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const delete_file = operation({
  name: 'delete_file',
  summary: "Moves a spreadsheet to its owner's trash. restore_file can restore it within 30 days.",
  effect: 'destroy',
  input: z.object({ file_id: fileId() }),
  output: emptyObject,
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    const data = await writeAndAnswer(
      context,
      () => context.sheets.setDeleted(context.stamp, document.id, context.clock.now()),
      () => ({}),
    );
    publishAccessChange(context, { topic: documentTopic(document.id) });
    return data;
  },
});
