import { queryClient, sheaf } from '../../lib/api-client.ts';

export type NoteThreadInfo = Awaited<ReturnType<typeof sheaf.note.list_note_comments>>['comments'][number];

/** Polling interval in milliseconds, in case the event stream misses a comment. */
const pollMs = 15_000;

export function noteCommentsQuery(id: string) {
  return {
    queryKey: ['note-comments', id],
    queryFn: () => sheaf.note.list_note_comments({ note_id: id }),
    refetchInterval: pollMs,
  };
}

export function refreshNoteComments(id: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['note-comments', id] });
}
