import type { Context } from '../context.ts';
import { fail } from '../operation/errors.ts';
import type { Note, Notebook, NotebookChoice } from '../ports/note-store.ts';
import { newId } from '../lib/ids.ts';

/** The two built-in notebooks: all notes, and notes in no notebook. */
export const topName = 'All notes';
export const looseName = 'Uncategorized';

export function topFolder(userId: string): string {
  return `user_list_${userId}`;
}

export function looseFolder(userId: string): string {
  return `user_uncategorized_${userId}`;
}

export function folderOfNote(note: Note): { id: string; name: string } {
  return note.notebookId === ''
    ? { id: looseFolder(note.userId), name: looseName }
    : { id: note.notebookId, name: note.notebookName };
}

export type Folder = { kind: 'all' } | { kind: 'loose' } | { kind: 'notebook'; notebook: Notebook };

/** Resolves a folder id; '' and the root mean all notes. */
export async function folderOf(context: Context, id: string | undefined): Promise<Folder> {
  const { userId } = context.caller;
  if (!id || id === topFolder(userId)) return { kind: 'all' };
  if (id === looseFolder(userId)) return { kind: 'loose' };
  return { kind: 'notebook', notebook: await ownNotebook(context, id) };
}

async function ownNotebook(context: Context, id: string, field = 'folder_id'): Promise<Notebook> {
  const notebook = await context.notes.notebook(context.caller.userId, id);
  if (!notebook) throw fail('no_notebook', `${field}: there is no notebook ${JSON.stringify(id)}`);
  return notebook;
}

/** Normalizes a name for storing and comparing. */
function notebookName(name: string): string {
  return name.normalize('NFC').trim();
}

/** The notebook for a new note. If both id and name are given, they must agree. */
export async function choose(
  context: Context,
  id: string | undefined,
  name: string | undefined,
): Promise<NotebookChoice | undefined> {
  const wanted = notebookName(name ?? '');
  if (!id) {
    if (wanted === '' || wanted === topName || wanted === looseName) return undefined;
    return { name: wanted, newId: newId('folder') };
  }
  const folder = await folderOf(context, id);
  const actual = folder.kind === 'notebook' ? folder.notebook.name : folder.kind === 'all' ? topName : looseName;
  if (wanted !== '' && wanted !== actual) {
    throw fail(
      'invalid_parameter',
      `folder_name: the notebook ${JSON.stringify(id)} is called ${JSON.stringify(actual)}, not ` +
        `${JSON.stringify(wanted)}; send only one of folder_id and folder_name`,
    );
  }
  return folder.kind === 'notebook' ? { id: folder.notebook.id } : undefined;
}

/** The store's parent id: '' at the top. */
export async function parentOf(context: Context, id: string | undefined): Promise<string> {
  const { userId } = context.caller;
  if (!id || id === topFolder(userId)) return '';
  if (id === looseFolder(userId))
    throw fail(
      'invalid_parameter',
      `parent_folder_id: ${JSON.stringify(looseName)} can contain notes only, not notebooks`,
    );
  return (await ownNotebook(context, id, 'parent_folder_id')).id;
}

/** A notebook made by the user; refuses the built-in ones. */
export async function madeNotebook(context: Context, id: string): Promise<Notebook> {
  const { userId } = context.caller;
  if (id === topFolder(userId) || id === looseFolder(userId))
    throw fail('invalid_parameter', `folder_id: ${JSON.stringify(id)} is built in and cannot be changed`);
  return ownNotebook(context, id);
}

export function freeName(name: string): string {
  const wanted = notebookName(name);
  if (wanted === '') throw fail('invalid_parameter', `name: must not be empty (got ${JSON.stringify(name)})`);
  if (wanted === topName || wanted === looseName)
    throw fail('notebook_exists', `name: ${JSON.stringify(wanted)} is the name of a built-in notebook`);
  return wanted;
}
