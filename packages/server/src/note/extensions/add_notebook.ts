import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { operation } from '../../operation/operation.ts';
import { freeName, parentOf } from '../folders.ts';
import { limitsOf, writing } from '../model.ts';
import { folderId, noteFolderInfo, plainString, toNoteFolderInfo } from '../schema.ts';

export const add_notebook = operation({
  name: 'add_notebook',
  summary:
    'Creates a notebook at the top level or inside another. Names are unique within a parent (210030).\nExample: {"name":"Work"}',
  effect: 'write',
  input: z.object({
    name: plainString('Its name.', { min: 1 }),
    parent_folder_id: folderId('Parent notebook; top level if empty.').optional(),
  }),
  output: z.object({ folder: noteFolderInfo.meta({ description: 'The new notebook.' }) }),
  async run(input, context) {
    const name = freeName(input.name);
    const parentId = await parentOf(context, input.parent_folder_id);
    const notebook = { id: newId('folder'), userId: context.caller.userId, name, parentId };
    return writing(
      context,
      { target: notebook.id, stranger: 'no_permission' },
      () => context.notes.addNotebook(context.stamp, notebook, limitsOf(context)),
      (made) => ({ folder: toNoteFolderInfo(made) }),
    );
  },
});
