import { z } from 'zod';
import { integer } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { baseFor, folderIn, refuseForeignIds } from '../permissions.ts';
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
    const base = await baseFor(context, input.knowledge_base_id, 'edit');
    const target =
      input.target_knowledge_base_id === undefined
        ? base
        : await baseFor(context, input.target_knowledge_base_id, 'edit', 'target_knowledge_base_id');
    const toFolderId = await folderIn(context, target, input.target_folder_id, 'target_folder_id');
    refuseForeignIds(input.media_ids, 'media_ids');
    const { userId } = context.caller;
    const move = { ids: input.media_ids, fromBaseId: base.id, toBaseId: target.id, toFolderId, userId };
    return writing(
      context,
      { base: target.id, target: input.media_ids[0] ?? '' },
      () => context.wiki.tree.move(context.stamp, move),
      (moved) => ({ moved }),
    );
  },
});
