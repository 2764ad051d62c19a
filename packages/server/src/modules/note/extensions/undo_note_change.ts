import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { titleSortKey } from '../../../lib/sort-key.ts';
import type { Context } from '../../../context.ts';
import { changeNotesWithRetry, type NotesPlan } from '../change-notes-with-retry.ts';
import { accessibleNotes } from '../note-access.ts';
import { plainString, version } from '../schema.ts';

export const undo_note_change = operation({
  summary:
    'Undoes a change of several notes as a whole (replace_in_notes, or a rename with its links), if none of them ' +
    'changed since.\nExample: {"change_id":"change_..."}',
  effect: 'write',
  input: { change_id: plainString('change_id of the answer, valid for 30 days.', { min: 1 }) },
  output: {
    change_id: text('Id of the undo, which can be undone in turn.'),
    notes: list(
      'The restored notes.',
      z.object({ note_id: text("The note's id."), title: text('Its title.'), version: version() }),
    ),
  },
  async run({ change_id: id }, context) {
    const plan = () => planUndo(context, id);
    return changeNotesWithRetry(context, await plan(), plan, ({ changeId, notes }) => ({
      change_id: changeId,
      notes: [...notes.values()].map((note) => ({ note_id: note.id, title: note.title, version: note.version })),
    }));
  },
});

async function planUndo(context: Context, changeId: string): Promise<NotesPlan> {
  const entries = await context.notes.change(context.caller.userId, changeId);
  if (entries.length === 0)
    throw fail('invalid_parameter', `change_id: there is no change ${JSON.stringify(changeId)} of yours`);
  const notes = await accessibleNotes(
    context,
    entries.map(({ noteId }) => noteId),
    'write',
  );
  const changed = entries.filter(({ noteId, toVersion, newTitle }) => {
    const note = notes.get(noteId);
    return !note || note.version !== toVersion || note.title !== newTitle;
  });
  if (changed.length > 0)
    throw fail(
      'conflict',
      `change_id: nothing was undone, because ${changed.length} of ${entries.length} notes changed since: ` +
        `${changed
          .slice(0, 5)
          .map(({ noteId }) => noteId)
          .join(', ')}; restore them one by one with restore_note_version`,
    );
  const texts: NotesPlan['texts'] = [];
  for (const { noteId, fromVersion, toVersion } of entries) {
    if (fromVersion === toVersion) continue;
    const markdown = await context.notes.markdown(noteId, fromVersion);
    if (markdown !== undefined) texts.push({ id: noteId, baseVersion: toVersion, markdown });
  }
  const renames = entries
    .filter(({ oldTitle, newTitle }) => oldTitle !== newTitle)
    .map(({ noteId, oldTitle, wasTitled }) => ({
      id: noteId,
      title: oldTitle,
      titleKey: titleSortKey(oldTitle),
      isTitled: wasTitled,
    }));
  const target = entries[0]!.noteId;
  return { userId: notes.get(target)!.userId, target, texts, renames };
}
