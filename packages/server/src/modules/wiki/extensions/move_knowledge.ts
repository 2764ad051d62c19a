import { z } from 'zod';
import { integer } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireBase, resolveFolder, refuseMalformedIds } from '../permissions.ts';
import { baseId, folderId, nodeIds } from '../schema.ts';

export const move_knowledge = operation({
  name: 'move_knowledge',
  summary:
    'Moves items and folders to a folder of any knowledge base, all or none. To keep the originals ' +
    'use copy_knowledge.\nExample: ' +
    '{"knowledge_base_id":"kb_...","media_ids":["media_..."],"target_folder_id":"folder_..."}',
  effect: 'write',
  input: z.object({
    knowledge_base_id: baseId('Source knowledge base.'),
    media_ids: nodeIds(),
    target_knowledge_base_id: baseId('Target knowledge base; the source if omitted.').optional(),
    target_folder_id: folderId("Target folder; the root if omitted, empty or the knowledge base's id.").optional(),
  }),
  output: z.object({ moved: integer('Number of the given items and folders that were moved.') }),
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const target =
      input.target_knowledge_base_id === undefined
        ? base
        : await requireBase(context, input.target_knowledge_base_id, 'edit', 'target_knowledge_base_id');
    const toFolderId = await resolveFolder(context, target, input.target_folder_id, 'target_folder_id');
    refuseMalformedIds(input.media_ids, 'media_ids');
    const { userId } = context.caller;
    const move = { ids: input.media_ids, fromBaseId: base.id, toBaseId: target.id, toFolderId, userId };
    return writeAndNotify(
      context,
      { base: target.id, target: input.media_ids[0] ?? '' },
      () => context.wiki.tree.move(context.stamp, move),
      (moved) => ({ moved }),
    );
  },
});
