import type { SubscriptionResolver } from '../../kernel/module.ts';
import { requireNote } from './note-access.ts';

export function notesTopic(userId: string): string {
  return `note:${userId}`;
}

/** Topic of the room of a note: the changes that are made in it, and who is in it. */
export function roomTopic(noteId: string): string {
  return `note-room:${noteId}`;
}

/**
 * Subscribes to every change of the caller's notes, and with `note_id` also to the changes of that note, which may be
 * one that is shared with the caller. Each event has the form `{"user_id","key_id","operation","target"}`. With `room=1`
 * it also subscribes to the room of the note, whose events have the field `room`.
 */
export const watchNotes: SubscriptionResolver = async ({ caller, services, query }) => {
  const own = notesTopic(caller.userId);
  const noteId = query('note_id');
  if (noteId === undefined) return { topic: own, first: {} };
  const { userId } = await requireNote(
    { notes: services.notes, permissions: services.permissions, caller },
    noteId,
    'read',
  );
  // Other notes of the author are not the caller's business, so only events of this one are passed on.
  const room = query('room') === '1' ? [roomTopic(noteId)] : [];
  return {
    topic: own,
    also: [...(userId === caller.userId ? [] : [notesTopic(userId)]), ...room],
    concerns: (event, topic) =>
      topic === own || room.includes(topic) || (event as { target?: string }).target === noteId,
    first: {},
  };
};
