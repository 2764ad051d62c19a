import { sheaf } from '../../lib/api-client.ts';
import type { Translate } from '../../i18n/use-translation.ts';
import { showToast } from '../../ui/toast.tsx';
import { refreshNotesNow } from './queries.ts';

/** MIME type of dragged notes. The data are the note ids, separated by spaces. */
export const noteDragType = 'application/x-sheaf-note';

/** Maximum number of notes moved per API call. */
const maxMoved = 100;
/** Maximum number of parallel API calls when notes are deleted or restored one by one. */
const maxParallel = 4;

export async function moveNotes(ids: readonly string[], folder: string, name: string, text: Translate): Promise<void> {
  for (let from = 0; from < ids.length; from += maxMoved)
    await sheaf.note.move_notes({ note_ids: ids.slice(from, from + maxMoved), folder_id: folder });
  await refreshNotesNow();
  showToast(text('movedTo', { name }));
}

/** Moves notes to the trash, and shows a notice with a button that restores them. */
export async function deleteNotes(ids: readonly string[], text: Translate): Promise<void> {
  try {
    await forEachNote(ids, (note_id) => sheaf.note.delete_note({ note_id }));
  } finally {
    await refreshNotesNow();
  }
  showToast(text(ids.length === 1 ? 'noteDeleted' : 'notesDeleted', { count: ids.length }), {
    label: text('undo'),
    run: async () => {
      await forEachNote(ids, (note_id) => sheaf.note.restore_note({ note_id }));
      await refreshNotesNow();
    },
  });
}

async function forEachNote(ids: readonly string[], run: (id: string) => Promise<unknown>): Promise<void> {
  const left = [...ids];
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await run(id);
  };
  await Promise.all(Array.from({ length: Math.min(maxParallel, ids.length) }, work));
}
