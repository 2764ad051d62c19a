import { sheaf } from '../../lib/api-client.ts';
import { Autosave, isSaving } from './autosave.ts';
import { noteIdsWithDrafts, readDraft } from './draft-storage.ts';

/**
 * Sends the drafts (unsaved note texts) that earlier visits left in this browser to the server. Skips open notes, which
 * save their own drafts.
 */
export async function resumeDrafts(): Promise<void> {
  for (const id of noteIdsWithDrafts()) {
    if (isSaving(id)) continue;
    const draft = readDraft(id);
    if (draft?.unmade) {
      // Skip a note that is open in this browser tab, because its editor saves the draft itself.
      if (location.pathname === `/notes/${id}`) continue;
      new Autosave(id, { text: draft.base, version: draft.baseVersion }).resume();
      continue;
    }
    try {
      const { content, version } = await sheaf.note.export_note({ note_id: id, format: 'markdown' });
      // If the note was opened during the request, its own Autosave resumes the draft.
      if (!isSaving(id)) new Autosave(id, { text: content, version }).resume();
    } catch (error) {
      // The request failed, or the note was deleted or belongs to another user of this browser. Keep the draft, so that
      // a later visit of its user can still save it.
      console.info('kept draft', error);
    }
  }
}
