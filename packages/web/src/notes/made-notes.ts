/** Creation of notes that were typed into before the server created them, and the ids the server assigned. */
import { callWhole, queries } from '../lib/client.ts';
import { isUnmadeNote } from '../lib/early.ts';
import { randomName } from '../lib/random-name.ts';
import { read, write } from '../lib/settings.ts';

/** Maps from temporary id to server id and back. */
const idOf = new Map<string, string>();
const firstIdOf = new Map<string, string>();

/** Creates a note on the server. The idempotency key ensures that retries create only one. */
export async function createNote(
  content: string,
  folder: string | undefined,
  key = randomName(),
  signal?: AbortSignal,
): Promise<string> {
  const input = { content_format: 1, content, folder_id: folder };
  const { data } = await callWhole('note', 'import_doc', input, { idempotencyKey: key, ...(signal && { signal }) });
  void queries.invalidateQueries({ queryKey: ['notes'] });
  void queries.invalidateQueries({ queryKey: ['notebooks'] });
  // An earlier attempt created the note but its response is lost: create another note, because an extra empty note is
  // better than none to write into.
  return (data['note_id'] as string | undefined) ?? createNote(content, folder, randomName(), signal);
}

export function noteMade(before: string, id: string): void {
  idOf.set(before, id);
  firstIdOf.set(id, before);
  // A reload may still use the temporary id in the address.
  write(`sheaf.made.${before}`, id, 'sessionStorage');
}

/** Returns the server's id of a note if it is known, else the id given. */
export function noteIdNow(id: string): string {
  if (!isUnmadeNote(id)) return id;
  return idOf.get(id) ?? read(`sheaf.made.${id}`, 'sessionStorage') ?? id;
}

/** Returns an id that stays the same when the note gets its server id. */
export function paneOf(id: string): string {
  return firstIdOf.get(id) ?? id;
}

export function isMade(id: string): boolean {
  return idOf.has(id);
}
