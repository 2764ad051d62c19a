import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireItem } from '../permissions.ts';
import { mediaId, password, state } from '../schema.ts';

export const retry_knowledge = operation({
  summary:
    'Retries parsing a failed item: a page that was unreachable, or a file whose password was missing or ' +
    'wrong. get_knowledge_state reports the progress.\n' +
    'Example: {"media_id":"media_...","password":"..."}',
  effect: 'write',
  input: { media_id: mediaId('Media id of an item in state "failed".'), password: password().optional() },
  output: { media_id: text('The item.'), state: state() },
  async run(input, context) {
    const { item, base } = await requireItem(context, input.media_id, 'edit');
    if (item.state !== 'failed')
      throw fail('invalid_parameter', `media_id: only a failed item can be retried, and this one is ${item.state}`);
    const sealed = input.password ? context.sealer.seal(input.password) : '';
    return writeAndNotify(
      context,
      { base: base.id, target: item.id },
      () => context.wiki.items.retryItem(context.stamp, item.id, sealed),
      ({ id, state }) => ({ media_id: id, state }),
    );
  },
});
