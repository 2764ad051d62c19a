import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireBase, refuseMalformedIds } from '../permissions.ts';
import { baseId, nodeIds } from '../schema.ts';

export const delete_knowledge = operation({
  summary:
    'Deletes items and folders, including everything in them, either all of them or none. ' +
    'restore_knowledge restores them within 30 days.\nExample: ' +
    '{"knowledge_base_id":"kb_...","media_ids":["media_..."]}',
  effect: 'destroy',
  input: { knowledge_base_id: baseId(), media_ids: nodeIds() },
  output: { deleted: integer('Number of items and folders deleted, including those inside folders.') },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    refuseMalformedIds(input.media_ids, 'media_ids');
    return writeAndNotify(
      context,
      { base: base.id, target: input.media_ids[0] ?? '' },
      () => context.wiki.tree.trash(context.stamp, base.id, input.media_ids),
      (deleted) => ({ deleted }),
    );
  },
});
