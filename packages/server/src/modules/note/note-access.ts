import type { Context } from '../../context.ts';
import type { Note } from '../../ports/note-store.ts';
import { includesRole, type AccessRole } from '../../ports/permission-store.ts';
import { fail } from '../../kernel/errors.ts';
import { toFailure } from './store-errors.ts';

type NoteServices = Pick<Context, 'notes' | 'permissions' | 'caller'>;

/** A note that the caller may open. `userId` is its author, in whose name the store writes it and whose quota counts. */
export interface AccessibleNote extends Note {
  role: AccessRole;
}

const verbs: Record<AccessRole, string> = { read: 'read', comment: 'comment on', write: 'edit', own: 'do this with' };

/**
 * Returns the note if the caller may use it as `need` says: as its author, or by a share of the note or of a notebook
 * around it. Unknown notes and notes that the caller may not read give the same error; a deleted note exists for its
 * author only. The six specified operations do not call this: they know the caller's own notes only.
 */
export async function requireNote(
  context: NoteServices,
  id: string,
  need: AccessRole,
  field = 'note_id',
): Promise<AccessibleNote> {
  const note = await context.notes.note(id);
  const role = note && (await roleOf(context, note));
  if (!note || !role) throw fail('no_permission', `${field}: there is no note ${JSON.stringify(id)} that you may read`);
  if (note.deletedAt !== null) throw toFailure({ reason: 'deleted', id }, 'no_permission');
  if (!includesRole(role, need))
    throw fail(
      'no_permission',
      `${field}: the note ${JSON.stringify(id)} is shared with you to ${verbs[role]}, and you may not ${verbs[need]} it`,
    );
  return { ...note, role };
}

async function roleOf({ permissions, caller }: NoteServices, note: Note): Promise<AccessRole | undefined> {
  if (note.userId === caller.userId) return 'own';
  return note.deletedAt === null ? permissions.role('note', note.id, caller.userId) : undefined;
}

/** Returns the notes among these ids that the caller may read, with the caller's role, in the order of the ids. */
export async function readableNotes(context: NoteServices, ids: readonly string[]): Promise<AccessibleNote[]> {
  const roles = await context.permissions.roles('note', ids, context.caller.userId);
  const notes = await context.notes.notes(ids.filter((id) => roles.has(id)));
  return notes.filter((note) => note.deletedAt === null).map((note) => ({ ...note, role: roles.get(note.id)! }));
}
