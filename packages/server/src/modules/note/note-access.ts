import type { Context } from '../../context.ts';
import { NoteRefused, type Note } from '../../ports/note-store.ts';
import { includesRole, type AccessRole } from '../../ports/permission-store.ts';
import { fail } from '../../kernel/errors.ts';
import { toFailure } from './store-errors.ts';

type NoteServices = Pick<Context, 'notes' | 'permissions' | 'caller'>;

/**
 * A note to which the caller has access, with the caller's role. Another user may be its author (`userId`): the store
 * then writes the note in the author's name and charges the author's quota.
 */
export interface AccessibleNote extends Note {
  role: AccessRole;
}

const verbs: Record<AccessRole, string> = { read: 'read', comment: 'comment on', write: 'edit', own: 'do this with' };

/**
 * Returns the note if the caller has at least the role `need`: as its author, or because the note or an enclosing
 * notebook is shared with the caller. Unknown notes and notes that the caller may not read give the same error.
 * Operations that the published API specification defines do not use this function, because they give access only to
 * the caller's own notes.
 */
export async function requireNote(context: NoteServices, id: string, need: AccessRole): Promise<AccessibleNote> {
  const note = await context.notes.note(id);
  const role = note && (await roleOf(context, note));
  if (!note || !role) throw toFailure({ reason: 'not_found', id }, 'no_permission');
  if (note.deletedAt !== null) throw toFailure({ reason: 'deleted', id }, 'no_permission');
  if (!includesRole(role, need))
    throw fail(
      'no_permission',
      `note_id: the note ${JSON.stringify(id)} is shared with you to ${verbs[role]}, and you may not ${verbs[need]} it`,
    );
  return { ...note, role };
}

/**
 * Runs a write in the name of the note's author: the caller, or another user whose note the caller may edit. Tries the
 * caller first, so that writes to own notes need no extra query.
 */
export async function writeAsAuthor<Result>(
  context: NoteServices,
  id: string,
  write: (authorId: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await write(context.caller.userId);
  } catch (error) {
    if (!(error instanceof NoteRefused) || error.reason !== 'not_found') throw error;
  }
  return write((await requireNote(context, id, 'write')).userId);
}

async function roleOf({ permissions, caller }: NoteServices, note: Note): Promise<AccessRole | undefined> {
  if (note.userId === caller.userId) return 'own';
  return note.deletedAt === null ? permissions.role('note', note.id, caller.userId) : undefined;
}

/** Returns, by id, the notes that are not deleted and on which the caller has at least the role `need`. */
export async function accessibleNotes(
  context: NoteServices,
  ids: readonly string[],
  need: AccessRole,
): Promise<Map<string, AccessibleNote>> {
  const roles = await context.permissions.roles('note', ids, context.caller.userId);
  const notes = await context.notes.notes([...roles.keys()].filter((id) => includesRole(roles.get(id), need)));
  const live = notes.filter((note) => note.deletedAt === null);
  return new Map(live.map((note) => [note.id, { ...note, role: roles.get(note.id)! }]));
}
