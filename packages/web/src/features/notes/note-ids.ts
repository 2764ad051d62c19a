/** Creation of notes that were typed into before the server created them, and the ids the server assigned. */
import { callRaw, queryClient } from '../../lib/api-client.ts';
import { isLocalNoteId } from '../../lib/prefetch.ts';
import { randomId } from '../../lib/random-id.ts';
import { readStorage, writeStorage } from '../../lib/browser-storage.ts';

/** Maps from temporary id to server id and back. */
const serverIdByLocalId = new Map<string, string>();
const localIdByServerId = new Map<string, string>();

/** Creates a note on the server. The idempotency key ensures that retries create only one. */
export async function createNote(
  content: string,
  folder: string | undefined,
  key = randomId(),
  signal?: AbortSignal,
): Promise<string> {
  const input = { content_format: 1, content, folder_id: folder };
  const { data } = await callRaw('note', 'import_doc', input, { idempotencyKey: key, ...(signal && { signal }) });
  void queryClient.invalidateQueries({ queryKey: ['notes'] });
  void queryClient.invalidateQueries({ queryKey: ['notebooks'] });
  // An earlier attempt created the note but its response is lost: create another note, because an extra empty note is
  // better than none to write into.
  return (data['note_id'] as string | undefined) ?? createNote(content, folder, randomId(), signal);
}

export function recordServerId(before: string, id: string): void {
  serverIdByLocalId.set(before, id);
  localIdByServerId.set(id, before);
  // A reload may still use the temporary id in the address.
  writeStorage(`sheaf.made.${before}`, id, 'sessionStorage');
}

/** Returns the server's id of a note if it is known, else the id given. */
export function resolveNoteId(id: string): string {
  if (!isLocalNoteId(id)) return id;
  return serverIdByLocalId.get(id) ?? readStorage(`sheaf.made.${id}`, 'sessionStorage') ?? id;
}

/** Returns an id that stays the same when the note gets its server id. */
export function stableNoteKey(id: string): string {
  return localIdByServerId.get(id) ?? id;
}

export function hasServerId(id: string): boolean {
  return serverIdByLocalId.has(id);
}
