import { operation } from '../../../kernel/operation.ts';
import { refuseBlocked, writeAndNotify } from '../wiki-writes.ts';
import { requireNode } from '../permissions.ts';
import { mediaId, title } from '../schema.ts';

export const rename_knowledge = operation({
  summary: 'Renames an item or a folder.\nExample: {"media_id":"media_...","title":"Report, final"}',
  effect: 'write',
  idempotent: true,
  input: { media_id: mediaId("The item's media id, or a folder's id."), title: title('The new title.') },
  output: {},
  async run(input, context) {
    const { item, folder, base } = await requireNode(context, input.media_id, 'edit');
    refuseBlocked(context, 'title', input.title);
    return writeAndNotify(context, { base: base.id, target: input.media_id }, async () => {
      if (item) await context.wiki.items.renameItem(context.stamp, item.id, input.title);
      if (folder) await context.wiki.tree.renameFolder(context.stamp, folder.id, input.title);
    });
  },
});
