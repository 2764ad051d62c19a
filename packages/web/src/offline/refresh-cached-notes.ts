import { currentSheaf, queryClient } from '../lib/api-client.ts';
import { noteInput } from '../lib/first-request-inputs.ts';

const pauseMs = 2000;
const newest = new Map<string, number>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Refetches the text of an open note shortly after a new version of the note was saved. The service worker caches the
 * response, so that the last saved text can be read offline.
 */
export function refreshCachedNotes(): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    const [name, id] = query.queryKey as readonly [string, string];
    if (type !== 'updated' || name !== 'note-version') return;
    const version = (query.state.data as { versions: { version: number }[] } | undefined)?.versions[0]?.version;
    const known = newest.get(id);
    if (version === undefined || version === known) return;
    newest.set(id, version);
    // Skip the first version that is seen after opening a note, because the text of this version is already cached.
    if (known === undefined || !navigator.serviceWorker.controller) return;
    clearTimeout(timers.get(id));
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        currentSheaf.note.export_note(noteInput(id)).catch((error: unknown) => console.info('cached responses', error));
      }, pauseMs),
    );
  });
}
