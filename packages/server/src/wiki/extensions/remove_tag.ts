import { z } from 'zod';
import { list, nothing, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { itemFor } from '../permissions.ts';
import { mediaId } from '../schema.ts';

export const remove_tag = operation({
  name: 'remove_tag',
  summary:
    'Removes tags from an item. Search treats tags like headings.\nExample: {"media_id":"media_...","tags":["draft"]}',
  effect: 'write',
  idempotent: true,
  input: z.object({
    media_id: mediaId(),
    tags: list('The tags.', text('A tag.', { min: 1, max: 100 }), { min: 1, max: 50 }),
  }),
  output: nothing,
  async run(input, context) {
    const { item, base } = await itemFor(context, input.media_id, 'edit');
    return writing(
      context,
      { base: base.id, target: item.id },
      () => context.wiki.items.removeTags(context.stamp, [item.id], input.tags),
      () => ({}),
    );
  },
});
