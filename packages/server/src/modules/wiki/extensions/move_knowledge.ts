import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { resolveTransfer, transferFields } from '../transfer.ts';

export const move_knowledge = operation({
  summary:
    'Moves items and folders to a folder of any knowledge base, all or none. To keep the originals ' +
    'use copy_knowledge.\nExample: ' +
    '{"knowledge_base_id":"kb_...","media_ids":["media_..."],"target_folder_id":"folder_..."}',
  effect: 'write',
  input: transferFields,
  output: { moved: integer('Number of the given items and folders that were moved.') },
  async run(input, context) {
    const transfer = await resolveTransfer(context, input, 'edit');
    return writeAndNotify(
      context,
      { base: transfer.toBaseId, from: transfer.fromBaseId, target: transfer.ids[0] ?? '' },
      () => context.wiki.tree.move(context.stamp, transfer),
      (moved) => ({ moved }),
    );
  },
});
