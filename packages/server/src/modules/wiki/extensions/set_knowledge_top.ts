import { flag } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndNotify } from '../wiki-writes.ts';
import { requireBase, requireFolder } from '../permissions.ts';
import { baseId, mediaId } from '../schema.ts';

export const set_knowledge_top = operation({
  summary:
    'Pins a folder so that it is listed before the others, or unpins it.\nExample: {"knowledge_base_id":"kb_...","folder_id":"folder_...","is_top":true}',
  effect: 'write',
  idempotent: true,
  input: {
    knowledge_base_id: baseId(),
    folder_id: mediaId('The folder.'),
    is_top: flag('Whether the folder is pinned.'),
  },
  output: {},
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const folder = await requireFolder(context, base, input.folder_id);
    return writeAndNotify(context, { base: base.id, target: folder.id }, () =>
      context.wiki.tree.setFolderTop(context.stamp, folder.id, input.is_top),
    );
  },
});
