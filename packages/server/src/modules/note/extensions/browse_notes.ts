import type { Context } from '../../../context.ts';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import type { Note, NoteOrder } from '../../../ports/note-store.ts';
import { accessibleNotes } from '../note-access.ts';
import { notebookIdOf, resolveFolder } from '../notebook-folders.ts';
import { folderId, noteBookInfo, orderOf, orderValue, sortType, toNoteBookInfo } from '../schema.ts';

/** Maximum number of notes that are listed for a tag. Further notes with the tag are left out. */
const maxTagged = 5000;

export const browse_notes = operation({
  summary:
    'Lists notes in long pages, for programs that show or process thousands: all notes of the caller, those of a ' +
    'notebook, or those with a tag, which may be notes that others share.\n' +
    'Example: {"tag":"review","sort_type":2,"limit":1000}',
  effect: 'read',
  input: {
    folder_id: folderId('Notebook to list; all notes if omitted.').optional(),
    tag: text('Only notes with this tag.', { min: 1, max: 100 }).optional(),
    sort_type: sortType(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 100.', { min: 1, max: 1000 }).optional(),
  },
  output: { notes: list('The notes.', noteBookInfo), next_cursor: nextCursor(), is_end: isEnd() },
  async run(input, context) {
    const { userId } = context.caller;
    const notebookId = notebookIdOf(await resolveFolder(context, input.folder_id));
    const order = orderOf(input.sort_type);
    const limit = input.limit ?? 100;
    const scope = `browse_notes ${userId} ${order} ${notebookId ?? '*'} ${input.tag ?? ''}`;
    const [value, id] = readCursor(scope, input.cursor, 'the same list in the same order') ?? [];
    const after = value === undefined ? undefined : { value, id: String(id) };
    const found =
      input.tag === undefined
        ? await context.notes.list({ userId, notebookId, order, after, limit: limit + 1 })
        : await listTagged(context, input.tag, notebookId, order, after, limit + 1);
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, (last) => [orderValue(last, order), last.id]);
    return { notes: page.map((note) => toNoteInfo(note, userId)), next_cursor, is_end };
  },
});

/**
 * Converts a note for a list in an answer. Leaves out the notebook if the note belongs to another user: readers of a
 * note may not see where its author stores it.
 */
function toNoteInfo(note: Note, userId: string): ReturnType<typeof toNoteBookInfo> {
  const info = toNoteBookInfo(note);
  return note.userId === userId ? info : { ...info, note_ext_info: { folder_id: '', folder_name: '' } };
}

interface Position {
  value: string | number;
  id: string;
}

async function listTagged(
  context: Context,
  tag: string,
  notebookId: string | undefined,
  order: NoteOrder,
  after: Position | undefined,
  limit: number,
): Promise<Note[]> {
  const ids = (await context.tags.tagged(context.caller.userId, [tag], ['note'], maxTagged)).map((one) => one.id);
  const notes = [...(await accessibleNotes(context, ids, 'read')).values()].filter(
    (note) => notebookId === undefined || (note.userId === context.caller.userId && note.notebookId === notebookId),
  );
  const positionOf = (note: Note): Position => ({ value: orderValue(note, order), id: note.id });
  const compare = (one: Position, other: Position): number => comparePositions(one, other, order);
  return notes
    .map((note) => ({ note, at: positionOf(note) }))
    .filter(({ at }) => after === undefined || compare(after, at) < 0)
    .sort((one, other) => compare(one.at, other.at))
    .slice(0, limit)
    .map(({ note }) => note);
}

/**
 * Compares the positions of two notes in a list, in the same order in which the note store lists notes: titles
 * ascending, times and sizes descending. Equal values are ordered by id.
 */
function comparePositions(one: Position, other: Position, order: NoteOrder): number {
  if (one.value !== other.value) return one.value < other.value === (order === 'title') ? -1 : 1;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}
