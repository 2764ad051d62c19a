/** Creates notes on the server, and maps their temporary ids to the ids that the server assigned. */
import { callRaw, queryClient } from '../../lib/api-client.ts';
import { isLocalNoteId } from '../../lib/prefetch.ts';
import { randomId } from '../../lib/random-id.ts';
import { readStorage, writeStorage } from '../../lib/browser-storage.ts';

const serverIdByLocalId = new Map<string, string>();
const localIdByServerId = new Map<string, string>();

/** Creates a note on the server and returns its id. The idempotency key ensures that retries create only one note. */
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
  // The id is missing if an earlier attempt created the note but its response was lost. Create another note then: an
  // extra empty note is better than no note to write into.
  return (data['note_id'] as string | undefined) ?? createNote(content, folder, randomId(), signal);
}

export function recordServerId(before: string, id: string): void {
  serverIdByLocalId.set(before, id);
  localIdByServerId.set(id, before);
  // The id is stored for the browser session, because the address bar may still contain the temporary id after a
  // reload.
  writeStorage(`sheaf.made.${before}`, id, 'sessionStorage');
}

/** Returns the server's id for a temporary id, if the server has assigned one. Otherwise returns `id` unchanged. */
export function resolveNoteId(id: string): string {
  if (!isLocalNoteId(id)) return id;
  return serverIdByLocalId.get(id) ?? readStorage(`sheaf.made.${id}`, 'sessionStorage') ?? id;
}

/**
 * Returns the temporary id of a note that was created with one, otherwise `id`. Used as a React key that does not
 * change when the server assigns an id.
 */
export function stableNoteKey(id: string): string {
  return localIdByServerId.get(id) ?? id;
}

export function hasServerId(id: string): boolean {
  return serverIdByLocalId.has(id);
}
