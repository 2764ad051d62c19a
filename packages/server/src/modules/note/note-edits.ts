import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import { integer, list, flag, text } from '../../kernel/field-schemas.ts';
import { NoteRefused, type Note, type NotePreview } from '../../ports/note-store.ts';
import { TextTooComplex, type ChangedLine, type EditedText, type TextRefusal } from '../../ports/note-text.ts';
import { z } from 'zod';
import { requireNote } from './note-access.ts';
import { noteLimits, writeAndNotify } from './note-writes.ts';
import { buildPreview } from './parse-markdown.ts';
import { toFailure } from './store-errors.ts';

export const baseVersion = () =>
  integer('Version the change is based on; the call fails with 210008 if the note has a newer one.', {
    min: 1,
  }).optional();
export const dryRun = () => flag('Whether to change nothing and only report what would change.').optional();

export const changedLines = () =>
  list(
    'The changed lines as they are now; long lists are cut.',
    z.object({ line: integer('Line number, starting at 1.'), text: text('The line.') }),
  );

/** Maximum number of attempts to apply an edit to a note that other users change concurrently. */
const maxAttempts = 5;

interface EditedNote {
  note: Note;
  changes: ChangedLine[];
}

/**
 * Changes a note's text with the function `edit`. Returns what the function `answer` creates from the note and its
 * changed lines. If another user changes the note at the same time, `edit` is called again with the new text; if the
 * caller gave a base version, the call is refused instead. Nothing is written in a dry run, or if `edit` leaves the
 * text the same.
 */
export async function editNote<Answer extends Record<string, unknown>>(
  context: Context,
  id: string,
  given: { baseVersion?: number | undefined; dryRun?: boolean | undefined },
  edit: (markdown: string) => Promise<EditedText | TextRefusal>,
  answer: (edited: EditedNote) => Answer,
): Promise<Answer> {
  let changes: ChangedLine[] = [];
  const compute = async (note: Note): Promise<string | undefined> => {
    if (given.baseVersion !== undefined && given.baseVersion !== note.version)
      throw toFailure({ reason: 'stale', version: note.version, baseVersion: given.baseVersion }, 'no_permission');
    const markdown = (await context.notes.markdown(id, note.version)) ?? '';
    const edited = await boundedText(() => edit(markdown));
    if ('refused' in edited) throw fail('invalid_parameter', edited.refused);
    if (edited.text.trim() === '') throw fail('invalid_parameter', 'edits: the note would be empty; use delete_note');
    checkTextSize(context, edited.text);
    changes = edited.changes;
    return edited.text === markdown ? undefined : edited.text;
  };
  // Save text that users have typed in open editors, because the edit may refer to it.
  await context.noteRooms.flush(id);
  let note = await requireNote(context, id, 'write');
  let markdown = await compute(note);
  if (markdown === undefined || given.dryRun) return answer({ note, changes });
  const write = async (): Promise<Note> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const { version } = note;
        const preview = await previewOf(context, markdown!);
        const change = { id, userId: note.userId, markdown: markdown!, baseVersion: version, preview };
        return await context.notes.replace(context.stamp, change, noteLimits(context));
      } catch (error) {
        if (!(error instanceof NoteRefused) || error.reason !== 'stale' || attempt === maxAttempts) throw error;
        note = await requireNote(context, id, 'write');
        markdown = (await compute(note)) ?? markdown;
      }
    }
  };
  return writeAndNotify(context, id, write, (written) => {
    context.reply.version = written.version;
    return answer({ note: written, changes });
  });
}

/** Throws if a text is too long for a note. Also called in a dry run, which writes nothing. */
export function checkTextSize(context: Context, markdown: string): void {
  const size = Buffer.byteLength(markdown);
  const { noteBytes: limit } = noteLimits(context);
  if (size > limit) throw toFailure({ reason: 'too_large', size, limit }, 'no_permission');
}

/**
 * Returns a function that creates a note's preview (title, summary and cover image) from its new text. If it is called
 * with a title, that title replaces the one taken from the text.
 */
export async function previewOf(context: Context, markdown: string): Promise<(title?: string) => NotePreview> {
  const head = await context.markdown.parseHead(markdown, context.caller.userId);
  return (title) => buildPreview(head, title);
}

/** Runs work on a text. Throws a Failure if processing the text takes too long. */
export async function boundedText<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TextTooComplex)
      throw fail('invalid_parameter', 'note_id: the text takes too long to process; use update_note or export_note');
    throw error;
  }
}
