import { list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { refuseBlocked, writeAndNotify } from '../wiki-writes.ts';
import { requireItem } from '../permissions.ts';
import { mediaId } from '../schema.ts';

export const add_tag = operation({
  summary:
    'Adds tags to an item. Search treats tags like headings.\nExample: {"media_id":"media_...","tags":["draft"]}',
  effect: 'write',
  idempotent: true,
  input: {
    media_id: mediaId(),
    tags: list('The tags.', text('A tag.', { min: 1, max: 100 }), { min: 1, max: 50 }),
  },
  output: { media_id: text('The item.'), tags: list('Its tags now.', text('A tag.')) },
  async run(input, context) {
    const { item, base } = await requireItem(context, input.media_id, 'edit');
    for (const tag of input.tags) refuseBlocked(context, 'tags', tag);
    const before = (await context.wiki.items.tags([item.id])).get(item.id) ?? [];
    return writeAndNotify(
      context,
      { base: base.id, target: item.id },
      () => context.wiki.items.addTags(context.stamp, [item.id], input.tags),
      () => ({ media_id: item.id, tags: [...new Set([...before, ...input.tags])] }),
    );
  },
});
