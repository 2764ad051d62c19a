import { z } from 'zod';
import { flag, nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { writing } from '../model.ts';
import { baseFor, knownFolder } from '../permissions.ts';
import { baseId, mediaId } from '../schema.ts';

export const set_knowledge_top = operation({
  name: 'set_knowledge_top',
  summary:
    'Pins a folder so that it is listed before the others, or unpins it.\nExample: {"knowledge_base_id":"kb_...","folder_id":"folder_...","is_top":true}',
  effect: 'write',
  idempotent: true,
  input: z.object({
    knowledge_base_id: baseId(),
    folder_id: mediaId('The folder.'),
    is_top: flag('Whether the folder is pinned.'),
  }),
  output: nothing,
  async run(input, context) {
    const base = await baseFor(context, input.knowledge_base_id, 'edit');
    const folder = await knownFolder(context, base, input.folder_id);
    return writing(
      context,
      { base: base.id, target: folder.id },
      () => context.wiki.tree.setFolderTop(context.stamp, folder.id, input.is_top),
      () => ({}),
    );
  },
});
