import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Note } from '../../../ports/note-store.ts';
import type { ReplacedText, Replacement } from '../../../ports/note-text.ts';
import { changeNotesWithRetry, checkSize, type WrittenChange } from '../change-notes-with-retry.ts';
import { accessibleNotes } from '../note-access.ts';
import { boundedText, changedLines, checkTextSize, dryRun } from '../note-edits.ts';
import { notebookIdOf, resolveFolder } from '../notebook-folders.ts';
import { folderId, plainString, version } from '../schema.ts';

const maxNotes = 5000;
/** Maximum total size in bytes of the notes that one call searches. */
const maxBytes = 64 * 2 ** 20;
const readAtOnce = 50;
const maxListed = 200;

const replacedNote = z.object({
  note_id: text("The note's id."),
  title: text('Its title.'),
  count: integer('Number of replacements.'),
  version: version(),
  changes: changedLines(),
});

export const replace_in_notes = operation({
  summary:
    'Replaces a text in all your notes, in a notebook or in some notes, all or none. Try it with dry_run; ' +
    'undo_note_change undoes it as a whole.\nExample: {"folder_id":"folder_...","old":"Velox","new":"Velox GmbH","dry_run":true}',
  effect: 'write',
  input: {
    folder_id: folderId('The notebook. Default: all your notes.').optional(),
    note_ids: list('Some notes instead.', plainString('Note id.', { min: 1 }), { min: 1, max: 500 }).optional(),
    old: text('Text to replace, exactly as in the Markdown.', { min: 1, max: 10_000 }),
    new: text('The new text; may be empty.', { max: 10_000 }),
    ignore_case: flag('Whether upper and lower case are the same.').optional(),
    whole_word: flag('Whether to replace whole words only.').optional(),
    dry_run: dryRun(),
  },
  output: {
    change_id: text('For undo_note_change; empty if nothing changed.'),
    total: integer('Number of replacements.'),
    note_number: integer('Number of notes that changed.'),
    searched: integer('Number of notes that were searched.'),
    notes: list(`The changed notes; the first ${maxListed}.`, replacedNote),
  },
  async run(input, context) {
    if (input.folder_id && input.note_ids)
      throw fail('invalid_parameter', 'folder_id: send folder_id or note_ids, not both');
    const replacement = { old: input.old, new: input.new, ignoreCase: input.ignore_case, wholeWord: input.whole_word };
    let found: Found[] = [];
    let searched = 0;
    const plan = async () => {
      const notes = await notesToSearch(context, input.folder_id, input.note_ids);
      searched = notes.length;
      found = await replaceInAll(context, notes, replacement);
      const texts = found.map(({ note, result }) => ({
        id: note.id,
        baseVersion: note.version,
        markdown: result.text,
      }));
      return { userId: context.caller.userId, target: input.folder_id ?? found[0]?.note.id ?? '', texts };
    };
    const answer = (written?: WrittenChange) => ({
      change_id: written?.changeId ?? '',
      total: found.reduce((sum, { result }) => sum + result.count, 0),
      note_number: found.length,
      searched,
      notes: found.slice(0, maxListed).map(({ note, result }) => {
        const now = written?.notes.get(note.id) ?? note;
        return {
          note_id: note.id,
          title: now.title,
          count: result.count,
          version: now.version,
          changes: result.changes,
        };
      }),
    });
    const first = await plan();
    checkSize(first);
    if (input.dry_run || first.texts.length === 0) return answer();
    return changeNotesWithRetry(context, first, plan, answer);
  },
});

interface Found {
  note: Note;
  result: ReplacedText;
}

async function notesToSearch(
  context: Context,
  folder: string | undefined,
  ids: readonly string[] | undefined,
): Promise<Note[]> {
  const notes = ids ? await chosenNotes(context, ids) : await notesOfFolder(context, folder);
  const bytes = notes.reduce((sum, { size }) => sum + size, 0);
  if (notes.length > maxNotes || bytes > maxBytes)
    throw fail(
      'batch_failed',
      `folder_id: nothing was changed, because a call searches at most ${maxNotes} notes and ${maxBytes} bytes ` +
        `(got ${notes.length > maxNotes ? 'more notes' : `${bytes} bytes`}); search a smaller notebook`,
    );
  return notes;
}

async function notesOfFolder(context: Context, id: string | undefined): Promise<Note[]> {
  const notebookId = notebookIdOf(await resolveFolder(context, id));
  const { userId } = context.caller;
  return context.notes.list({
    userId,
    order: 'title',
    limit: maxNotes + 1,
    ...(notebookId === undefined ? {} : { notebookId }),
  });
}

async function chosenNotes(context: Context, ids: readonly string[]): Promise<Note[]> {
  const found = await accessibleNotes(context, ids, 'write');
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0)
    throw fail(
      'batch_failed',
      `note_ids: nothing was changed, because ${JSON.stringify(missing[0])}${
        missing.length > 1 ? ` and ${missing.length - 1} more` : ''
      } cannot be changed by you`,
    );
  const notes = [...found.values()];
  const foreign = notes.find((note) => note.userId !== context.caller.userId);
  // Refuse notes of other users, because one call is one transaction on the notes of a single author.
  if (foreign)
    throw fail(
      'batch_failed',
      `note_ids: nothing was changed, because ${JSON.stringify(foreign.id)} is another user's; change it with edit_note`,
    );
  return notes;
}

async function replaceInAll(context: Context, notes: readonly Note[], replacement: Replacement): Promise<Found[]> {
  const found: Found[] = [];
  for (let from = 0; from < notes.length; from += readAtOnce) {
    const some = notes.slice(from, from + readAtOnce);
    const texts = await context.notes.markdowns(some.map((note) => note.id));
    for (const note of some) {
      const markdown = texts.get(note.id) ?? '';
      const result = await boundedText(() => context.noteText.replace(context.caller.userId, markdown, replacement));
      if (result.count === 0 || result.text === markdown) continue;
      checkTextSize(context, result.text);
      found.push({ note, result });
    }
  }
  return found;
}
