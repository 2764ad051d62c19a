import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { wikiLimits, writeAndNotify } from '../wiki-writes.ts';
import { requireBase, resolveFolder, refuseMalformedIds } from '../permissions.ts';
import { baseId, folderId, nodeIds } from '../schema.ts';

export const copy_knowledge = operation({
  name: 'copy_knowledge',
  summary:
    'Copies items and folders with their contents to a folder of any knowledge base, all or none. ' +
    "Files count against the caller's storage.\nExample: " +
    '{"knowledge_base_id":"kb_...","media_ids":["media_..."],"target_knowledge_base_id":"kb_..."}',
  effect: 'write',
  input: z.object({
    knowledge_base_id: baseId('Source knowledge base.'),
    media_ids: nodeIds(),
    target_knowledge_base_id: baseId('Target knowledge base; the source if omitted.').optional(),
    target_folder_id: folderId("Target folder; the root if omitted, empty or the knowledge base's id.").optional(),
  }),
  output: z.object({
    media_ids: z
      .record(z.string(), text('The copy.'))
      .meta({ description: 'Ids of the copies, keyed by the ids that were sent.' }),
  }),
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'view');
    const target = await requireBase(
      context,
      input.target_knowledge_base_id ?? base.id,
      'edit',
      input.target_knowledge_base_id === undefined ? 'knowledge_base_id' : 'target_knowledge_base_id',
    );
    const toFolderId = await resolveFolder(context, target, input.target_folder_id, 'target_folder_id');
    refuseMalformedIds(input.media_ids, 'media_ids');
    const { userId } = context.caller;
    const copy = { ids: input.media_ids, fromBaseId: base.id, toBaseId: target.id, toFolderId, userId };
    return writeAndNotify(
      context,
      { base: target.id, target: input.media_ids[0] ?? '' },
      () => context.wiki.tree.copy(context.stamp, copy, wikiLimits(context)),
      (made) => {
        const copies = Object.create(null) as Record<string, string>;
        for (const [from, to] of made) copies[from] = to;
        return { media_ids: copies };
      },
    );
  },
});
