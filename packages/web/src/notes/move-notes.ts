import { sheaf } from '../lib/client.ts';
import type { Text } from '../text/use-text.ts';
import { say } from '../ui/toast.tsx';
import { refreshNotes } from './queries.ts';

export async function moveNotes(ids: string[], folder: string, name: string, text: Text): Promise<void> {
  await sheaf.note.move_notes({ note_ids: ids, folder_id: folder });
  await refreshNotes();
  say(text('movedTo', { name }));
}
