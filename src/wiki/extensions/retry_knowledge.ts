import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { itemFor } from '../permissions.ts';
import { mediaId, password, state } from '../schema.ts';

export const retry_knowledge = operation({
  name: 'retry_knowledge',
  summary:
    'Reads a failed item once more: a page that was not reachable, a file whose password was missing or ' +
    'wrong. get_knowledge_state tells how it goes. With another file: replace_knowledge.\nExample: ' +
    '{"media_id":"media_...","password":"..."}',
  effect: 'write',
  input: z.object({ media_id: mediaId('The item; one whose state is failed.'), password: password().optional() }),
  output: z.object({ media_id: text('The item.'), state: state() }),
  async run(input, context) {
    const { item, base } = await itemFor(context, input.media_id, 'edit');
    if (item.state !== 'failed')
      throw fail(
        'invalid_parameter',
        `media_id: only an item that failed can be tried again, and this one is ${item.state}`,
      );
    const sealed = input.password ? context.sealer.seal(input.password) : '';
    const retried = await writing(context, base.id, () => context.wiki.items.retryItem(context.stamp, item.id, sealed));
    return { media_id: retried.id, state: retried.state };
  },
});
