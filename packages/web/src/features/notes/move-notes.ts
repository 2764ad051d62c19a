import { sheaf } from '../../lib/api-client.ts';
import type { Translate } from '../../i18n/use-translation.ts';
import { showToast } from '../../ui/toast.tsx';
import { refreshNotes } from './queries.ts';

export async function moveNotes(ids: string[], folder: string, name: string, text: Translate): Promise<void> {
  await sheaf.note.move_notes({ note_ids: ids, folder_id: folder });
  await refreshNotes();
  showToast(text('movedTo', { name }));
}
