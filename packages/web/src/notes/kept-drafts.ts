import { sheaf } from '../lib/client.ts';
import { Autosave, isSaving } from './autosave.ts';
import { namesOfDrafts, readDraft } from './drafts.ts';

/** Sends what earlier visits left of notes that are not open. */
export async function resumeKeptDrafts(): Promise<void> {
  for (const id of namesOfDrafts()) {
    if (isSaving(id)) continue;
    const draft = readDraft(id);
    if (draft?.unmade) {
      // Its page is about to go on with it.
      if (location.pathname === `/notes/${id}`) continue;
      new Autosave(id, { text: draft.base, version: draft.baseVersion }).resume();
      continue;
    }
    try {
      const { content, version } = await sheaf.note.export_note({ note_id: id, format: 'markdown' });
      // Opened meanwhile: its page goes on with it.
      if (!isSaving(id)) new Autosave(id, { text: content, version }).resume();
    } catch (error) {
      // Deleted, or somebody else's who used this browser: it stays until they come back.
      console.info('kept draft', error);
    }
  }
}
