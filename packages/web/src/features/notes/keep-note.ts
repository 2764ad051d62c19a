import { currentSheaf } from '../../lib/api-client.ts';
import { noteInput } from '../../lib/first-inputs.ts';

const pauseMs = 2000;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reads a note again soon after it was saved, so that the service worker, which keeps only what was read, has its text
 * for a time without a connection.
 */
export function keepNoteSoon(id: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    currentSheaf.note.export_note(noteInput(id)).catch((error: unknown) => console.info('kept answers', error));
  }, pauseMs);
}
