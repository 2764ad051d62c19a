import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { requireOwned } from '../resource-access.ts';
import { resourceFields } from '../schema.ts';

export const unpublish = operation({
  summary: 'Ends a public link at once. Owners only.\nExample: {"kind":"note","id":"note_...","link_id":"link_..."}',
  effect: 'destroy',
  input: { ...resourceFields, link_id: text('The link.', { min: 1, max: 80 }) },
  output: {},
  async run(input, context) {
    const resource = await requireOwned(context, input, 'write');
    return writeAndAnswer(
      context,
      () => context.publicLinks.revoke(context.stamp, resource, input.link_id),
      (isDone) => {
        if (isDone) return {};
        throw fail('not_found', `link_id: it has no public link ${JSON.stringify(input.link_id)}`);
      },
    );
  },
});
