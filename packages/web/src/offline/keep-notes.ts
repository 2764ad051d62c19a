import { currentSheaf, queryClient } from '../lib/api-client.ts';
import { noteInput } from '../lib/first-inputs.ts';

const pauseMs = 2000;
const newest = new Map<string, number>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Reads an open note again soon after it got another version, because the service worker keeps only what was read. Whoever
 * opens the note without a connection then sees the text that was saved last.
 */
export function keepNotes(): void {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    const [name, id] = query.queryKey as readonly [string, string];
    if (type !== 'updated' || name !== 'note-version') return;
    const version = (query.state.data as { versions: { version: number }[] } | undefined)?.versions[0]?.version;
    const known = newest.get(id);
    if (version === undefined || version === known) return;
    newest.set(id, version);
    // The first version that is seen is that of the text with which the note was opened.
    if (known === undefined || !navigator.serviceWorker.controller) return;
    clearTimeout(timers.get(id));
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        currentSheaf.note.export_note(noteInput(id)).catch((error: unknown) => console.info('kept answers', error));
      }, pauseMs),
    );
  });
}
