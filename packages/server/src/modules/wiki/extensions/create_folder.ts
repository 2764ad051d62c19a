import { newId } from '../../../lib/ids.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { refuseBlocked, writeAndNotify } from '../wiki-writes.ts';
import { requireBase, resolveFolder } from '../permissions.ts';
import { baseId, folderId, title } from '../schema.ts';

export const create_folder = operation({
  summary:
    'Creates a folder in a knowledge base, at the root or in another folder. A name that already exists ' +
    'there is refused.\nExample: {"knowledge_base_id":"kb_...","name":"2026"}',
  effect: 'write',
  input: {
    knowledge_base_id: baseId(),
    name: title("The folder's name."),
    parent_folder_id: folderId("Parent folder; the root if omitted, empty or the knowledge base's id.").optional(),
  },
  output: { folder_id: text('The new folder.') },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const parentId = await resolveFolder(context, base, input.parent_folder_id, 'parent_folder_id');
    refuseBlocked(context, 'name', input.name);
    const id = newId('folder');
    const folder = { id, baseId: base.id, parentId, name: input.name };
    return writeAndNotify(
      context,
      { base: base.id, target: id },
      () => context.wiki.tree.createFolder(context.stamp, folder),
      () => ({ folder_id: id }),
    );
  },
});
