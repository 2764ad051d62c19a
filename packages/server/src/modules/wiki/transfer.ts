import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { refuseMalformedIds, requireBase, resolveFolder, type RequiredAccess } from './permissions.ts';
import { baseId, folderId, nodeIds } from './schema.ts';

export const transferFields = {
  knowledge_base_id: baseId('Source knowledge base.'),
  media_ids: nodeIds(),
  target_knowledge_base_id: baseId('Target knowledge base; the source if omitted.').optional(),
  target_folder_id: folderId("Target folder; the root if omitted, empty or the knowledge base's id.").optional(),
};

type TransferInput = z.output<z.ZodObject<typeof transferFields>>;

/**
 * Checks that the caller may move or copy items and folders, and returns the arguments of the move or copy. The caller
 * needs the access `need` to the source knowledge base, and `edit` to the target, which is the source by default.
 */
export async function resolveTransfer(context: Context, input: TransferInput, need: RequiredAccess) {
  const { target_knowledge_base_id: targetId, media_ids: ids } = input;
  const base = await requireBase(context, input.knowledge_base_id, need);
  const field = targetId === undefined ? 'knowledge_base_id' : 'target_knowledge_base_id';
  const target =
    targetId === undefined && need === 'edit' ? base : await requireBase(context, targetId ?? base.id, 'edit', field);
  const toFolderId = await resolveFolder(context, target, input.target_folder_id, 'target_folder_id');
  refuseMalformedIds(ids, 'media_ids');
  return { ids, fromBaseId: base.id, toBaseId: target.id, toFolderId, userId: context.caller.userId };
}
