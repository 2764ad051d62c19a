import { newId } from '../../../lib/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { validateNotebookName, resolveParentId } from '../notebook-folders.ts';
import { noteLimits, writeAndNotify } from '../note-writes.ts';
import { folderId, noteFolderInfo, plainString, toNoteFolderInfo } from '../schema.ts';

export const add_notebook = operation({
  summary:
    'Creates a notebook at the top level or inside another. Names are unique within a parent (210030).\nExample: {"name":"Work"}',
  effect: 'write',
  input: {
    name: plainString('Its name.', { min: 1 }),
    parent_folder_id: folderId('Parent notebook; top level if empty.').optional(),
  },
  output: { folder: noteFolderInfo.meta({ description: 'The new notebook.' }) },
  async run(input, context) {
    const name = validateNotebookName(input.name);
    const parentId = await resolveParentId(context, input.parent_folder_id);
    const notebook = { id: newId('folder'), userId: context.caller.userId, name, parentId };
    return writeAndNotify(
      context,
      notebook.id,
      () => context.notes.addNotebook(context.stamp, notebook, noteLimits(context)),
      (made) => ({ folder: toNoteFolderInfo(made) }),
    );
  },
});
