import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireBase, refuseMalformedIds } from '../permissions.ts';
import { baseId, nodeIds } from '../schema.ts';

export const restore_knowledge = operation({
  summary:
    'Restores what delete_knowledge deleted within the last 30 days. A folder is restored with its ' +
    'contents, to its former place or, if that no longer exists, to the root.\nExample: ' +
    '{"knowledge_base_id":"kb_...","media_ids":["media_..."]}',
  effect: 'write',
  input: { knowledge_base_id: baseId(), media_ids: nodeIds() },
  output: { restored: integer('Number of items and folders restored, including those inside folders.') },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    refuseMalformedIds(input.media_ids, 'media_ids');
    return writeAndNotify(
      context,
      { base: base.id, target: input.media_ids[0] ?? '' },
      () => context.wiki.tree.restore(context.stamp, base.id, input.media_ids),
      (restored) => ({ restored }),
    );
  },
});
