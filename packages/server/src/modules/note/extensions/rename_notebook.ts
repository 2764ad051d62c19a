import { operation } from '../../../kernel/operation.ts';
import { validateNotebookName, requireUserNotebook, resolveParentId } from '../notebook-folders.ts';
import { writeAndRecheck } from '../note-writes.ts';
import { noteFolderInfo, plainString, toNoteFolderInfo } from '../schema.ts';

export const rename_notebook = operation({
  summary:
    'Renames a notebook and, with parent_folder_id, moves it.\nExample: {"folder_id":"folder_...","name":"Travel 2026"}',
  effect: 'write',
  idempotent: true,
  input: {
    folder_id: plainString('The notebook.', { min: 1 }),
    name: plainString('Its new name.', { min: 1 }),
    parent_folder_id: plainString(
      'Target parent notebook; the root user_list_<user_id> for the top level. Unchanged if omitted.',
    ).optional(),
  },
  output: { folder: noteFolderInfo.meta({ description: 'The notebook.' }) },
  async run(input, context) {
    const { id, userId } = await requireUserNotebook(context, input.folder_id);
    const name = validateNotebookName(input.name);
    const parentId =
      input.parent_folder_id === undefined ? undefined : await resolveParentId(context, input.parent_folder_id);
    return writeAndRecheck(
      context,
      id,
      () => context.notes.changeNotebook(context.stamp, userId, id, { name, parentId }),
      (changed) => ({ folder: toNoteFolderInfo(changed) }),
    );
  },
});
