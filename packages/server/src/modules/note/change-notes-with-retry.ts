import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import { NoteRefused, type Note, type NotesChange } from '../../ports/note-store.ts';
import { fail } from '../../kernel/errors.ts';
import { noteLimits, writeAndNotify } from './note-writes.ts';
import { previewOf } from './note-edits.ts';

/**
 * Limits of one call that changes several notes: the number of notes, and the total length of their texts in
 * characters.
 */
export const maxChangedNotes = 500;
export const maxChangedCharacters = 16 * 2 ** 20;

export interface NotesPlan {
  /** Author of the notes. */
  userId: string;
  /** Id that the audit log records as the target of the change. */
  target: string;
  texts: { id: string; baseVersion: number; markdown: string }[];
  renames?: NotesChange['renames'];
}

export interface WrittenChange {
  changeId: string;
  notes: Map<string, Note>;
}

const maxAttempts = 3;

/**
 * Changes several notes in one transaction, as planned in `first`. If another writer changed one of the notes after it
 * was planned, calls `plan` for a new plan and tries again. Throws after `maxAttempts` attempts.
 */
export async function changeNotesWithRetry<Answer extends Record<string, unknown>>(
  context: Context,
  first: NotesPlan,
  plan: () => Promise<NotesPlan>,
  answer: (written: WrittenChange) => Answer,
): Promise<Answer> {
  const changeId = newId('change');
  let planned = first;
  checkSize(planned);
  const write = async (): Promise<Note[]> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await context.notes.changeAll(
          context.stamp,
          await withPreviews(context, changeId, planned),
          noteLimits(context),
        );
      } catch (error) {
        if (!(error instanceof NoteRefused) || error.reason !== 'stale') throw error;
        if (attempt === maxAttempts)
          throw fail(
            'conflict',
            'the notes are being changed by others at the same time; nothing was changed, try again',
          );
        planned = await plan();
        checkSize(planned);
      }
    }
  };
  const ids = (): string[] => [
    ...new Set([...(planned.renames ?? []).map(({ id }) => id), ...planned.texts.map(({ id }) => id)]),
  ];
  return writeAndNotify(context, ids, write, (notes) =>
    answer({ changeId, notes: new Map(notes.map((note) => [note.id, note])) }),
  );
}

/** Throws if a plan changes too many notes or too much text. Also called in a dry run, which writes nothing. */
export function checkSize({ texts }: NotesPlan): void {
  if (texts.length > maxChangedNotes)
    throw fail(
      'batch_failed',
      `nothing was changed, because ${texts.length} notes would change and a call may change ${maxChangedNotes}; ` +
        'narrow it by folder_id or note_ids',
    );
  const length = texts.reduce((sum, { markdown }) => sum + markdown.length, 0);
  if (length > maxChangedCharacters)
    throw fail(
      'batch_failed',
      `nothing was changed, because the changed notes have ${length} characters and a call may change ${maxChangedCharacters}; ` +
        'narrow it by folder_id or note_ids',
    );
}

async function withPreviews(context: Context, changeId: string, plan: NotesPlan): Promise<NotesChange> {
  const { userId, target, renames = [] } = plan;
  const texts: NotesChange['texts'][number][] = [];
  for (const text of plan.texts) texts.push({ ...text, preview: await previewOf(context, text.markdown) });
  return { changeId, userId, target, texts, renames };
}
