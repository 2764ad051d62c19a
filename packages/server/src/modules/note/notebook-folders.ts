import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import type { Note, Notebook, NotebookChoice } from '../../ports/note-store.ts';
import { newId } from '../../lib/ids.ts';

/** Names of the two built-in notebooks. The first contains all notes, the second the notes that are in no notebook. */
export const allNotesName = 'All notes';
export const uncategorizedName = 'Uncategorized';

export function rootFolderId(userId: string): string {
  return `user_list_${userId}`;
}

export function uncategorizedFolderId(userId: string): string {
  return `user_uncategorized_${userId}`;
}

export function folderOfNote(note: Note): { id: string; name: string } {
  return note.notebookId === ''
    ? { id: uncategorizedFolderId(note.userId), name: uncategorizedName }
    : { id: note.notebookId, name: note.notebookName };
}

export type Folder = { kind: 'all' } | { kind: 'loose' } | { kind: 'notebook'; notebook: Notebook };

/** Resolves a folder id to a notebook or a built-in folder. An empty id and the root id mean all notes. */
export async function resolveFolder(context: Context, id: string | undefined): Promise<Folder> {
  const { userId } = context.caller;
  if (!id || id === rootFolderId(userId)) return { kind: 'all' };
  if (id === uncategorizedFolderId(userId)) return { kind: 'loose' };
  return { kind: 'notebook', notebook: await requireOwnNotebook(context, id) };
}

/**
 * Returns the value that selects a folder's notes in the store: the notebook's id, '' for notes in no notebook, or
 * undefined for all notes.
 */
export function notebookIdOf(folder: Folder): string | undefined {
  return folder.kind === 'notebook' ? folder.notebook.id : folder.kind === 'loose' ? '' : undefined;
}

async function requireOwnNotebook(context: Context, id: string, field = 'folder_id'): Promise<Notebook> {
  const notebook = await context.notes.notebook(context.caller.userId, id);
  if (!notebook) throw fail('no_notebook', `${field}: there is no notebook ${JSON.stringify(id)}`);
  return notebook;
}

function normalizeName(name: string): string {
  return name.normalize('NFC').trim();
}

/**
 * Returns the notebook in which a new note is put, by id or name; undefined if the note is put in none. If both id and
 * name are given, they must refer to the same notebook.
 */
export async function chooseNotebook(
  context: Context,
  id: string | undefined,
  name: string | undefined,
): Promise<NotebookChoice | undefined> {
  const wanted = normalizeName(name ?? '');
  if (!id) {
    if (wanted === '' || wanted === allNotesName || wanted === uncategorizedName) return undefined;
    return { name: wanted, newId: newId('folder') };
  }
  const folder = await resolveFolder(context, id);
  const actual =
    folder.kind === 'notebook' ? folder.notebook.name : folder.kind === 'all' ? allNotesName : uncategorizedName;
  if (wanted !== '' && wanted !== actual) {
    throw fail(
      'invalid_parameter',
      `folder_name: the notebook ${JSON.stringify(id)} is called ${JSON.stringify(actual)}, not ` +
        `${JSON.stringify(wanted)}; send only one of folder_id and folder_name`,
    );
  }
  return folder.kind === 'notebook' ? { id: folder.notebook.id } : undefined;
}

/** Resolves the id of a notebook's parent to the form that the store expects, which is '' at the top level. */
export async function resolveParentId(context: Context, id: string | undefined): Promise<string> {
  const { userId } = context.caller;
  if (!id || id === rootFolderId(userId)) return '';
  if (id === uncategorizedFolderId(userId))
    throw fail(
      'invalid_parameter',
      `parent_folder_id: ${JSON.stringify(uncategorizedName)} can contain notes only, not notebooks`,
    );
  return (await requireOwnNotebook(context, id, 'parent_folder_id')).id;
}

/** Returns a notebook that the user created. Throws for the built-in notebooks and for unknown ids. */
export async function requireUserNotebook(context: Context, id: string): Promise<Notebook> {
  const { userId } = context.caller;
  if (id === rootFolderId(userId) || id === uncategorizedFolderId(userId))
    throw fail('invalid_parameter', `folder_id: ${JSON.stringify(id)} is built in and cannot be changed`);
  return requireOwnNotebook(context, id);
}

export function validateNotebookName(name: string): string {
  const wanted = normalizeName(name);
  if (wanted === '') throw fail('invalid_parameter', `name: must not be empty (got ${JSON.stringify(name)})`);
  if (wanted === allNotesName || wanted === uncategorizedName)
    throw fail('notebook_exists', `name: ${JSON.stringify(wanted)} is the name of a built-in notebook`);
  return wanted;
}
