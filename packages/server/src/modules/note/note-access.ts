import type { Context } from '../../context.ts';
import type { Note } from '../../ports/note-store.ts';
import { toFailure } from './store-errors.ts';

export type NoteRight = 'read' | 'write';

/** Decides whether the caller may read or write a note. Today only its author may. */
function mayAccess(context: Pick<Context, 'caller'>, note: Note, _right: NoteRight): boolean {
  return note.userId === context.caller.userId;
}

/**
 * Returns a note that the caller may read or write. Foreign and nonexistent notes give the same error. Writes to the
 * store take the note's author, `userId`.
 */
export async function requireNote(context: Context, id: string, right: NoteRight): Promise<Note> {
  const note = await context.notes.note(id);
  if (!note || !mayAccess(context, note, right)) throw toFailure({ reason: 'not_found', id }, 'no_permission');
  if (note.deletedAt !== null) throw toFailure({ reason: 'deleted', id }, 'no_permission');
  return note;
}

/** Returns those of the notes that exist and that the caller may read or write, by id. */
export async function accessibleNotes(
  context: Context,
  ids: readonly string[],
  right: NoteRight,
): Promise<Map<string, Note>> {
  const found = await context.notes.notes([...new Set(ids)]);
  return new Map(
    found.filter((note) => note.deletedAt === null && mayAccess(context, note, right)).map((note) => [note.id, note]),
  );
}
