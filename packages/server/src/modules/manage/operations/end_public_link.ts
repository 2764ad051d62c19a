import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { emptyObject, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { fileId } from '../schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const end_public_link = operation({
  name: 'end_public_link',
  summary: 'Ends a public link at once.',
  effect: 'destroy',
  input: z.object({ file_id: fileId(), link_id: text('Link.', { min: 1, max: 80 }) }),
  output: emptyObject,
  async run(input, context) {
    const { document } = await context.documents.access(context, input.file_id, 'owner');
    return writeAndAnswer(
      context,
      () => context.publicLinks.revoke(context.stamp, { kind: 'sheet', id: document.id }, input.link_id),
      (isDone) => {
        if (isDone) return {};
        throw fail('no_such_object', `link_id: the document has no public link ${JSON.stringify(input.link_id)}`);
      },
    );
  },
});
