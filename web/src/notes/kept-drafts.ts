import { sheaf } from '../lib/client.ts';
import { Autosave, isSaving } from './autosave.ts';
import { namesOfDrafts } from './drafts.ts';

/** Sends what earlier visits left of notes that are not open. Where somebody has to decide, the draft waits for them. */
export async function resumeKeptDrafts(): Promise<void> {
  for (const id of namesOfDrafts()) {
    if (isSaving(id)) continue;
    try {
      const { content, version } = await sheaf.note.export_note({ note_id: id, format: 'markdown' });
      // Opened meanwhile: its page goes on with it.
      if (!isSaving(id)) new Autosave(id, { text: content, version }, () => undefined).resume();
    } catch (error) {
      // Deleted, or somebody else's who used this browser: it stays until they come back.
      console.info('kept draft', error);
    }
  }
}
