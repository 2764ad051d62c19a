/** Notes that were typed into before the server had made them: how they are made, and which id each has got. */
import { callWhole, queries } from '../lib/client.ts';
import { isUnmadeNote } from '../lib/early.ts';
import { randomName } from '../lib/random-name.ts';
import { read, write } from '../lib/settings.ts';

/** By the id that a note had before it was made, and the other way. */
const idOf = new Map<string, string>();
const firstIdOf = new Map<string, string>();

/** Makes a note on the server; however often it is asked for under the same key, one is made. */
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
  // Made by an earlier try whose answer is lost for good: an empty note more is better than none to write into.
  return (data['note_id'] as string | undefined) ?? createNote(content, folder, randomName(), signal);
}

export function noteMade(before: string, id: string): void {
  idOf.set(before, id);
  firstIdOf.set(id, before);
  // A reload may have begun at the address that the note had until now.
  write(`sheaf.made.${before}`, id, 'sessionStorage');
}

/** The id that the server gave it, where that is known. */
export function noteIdNow(id: string): string {
  if (!isUnmadeNote(id)) return id;
  return idOf.get(id) ?? read(`sheaf.made.${id}`, 'sessionStorage') ?? id;
}

/** The same for a note before and after it was made. */
export function paneOf(id: string): string {
  return firstIdOf.get(id) ?? id;
}

export function isMade(id: string): boolean {
  return idOf.has(id);
}
