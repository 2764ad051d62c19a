import type { SubscriptionResolver } from '../../kernel/module.ts';
import { requireNote } from './note-access.ts';

export function notesTopic(userId: string): string {
  return `note:${userId}`;
}

/**
 * Returns the topic of events about the shared editing of a note by several writers at once (the note's room): changes
 * made in the room, and the list of people in it.
 */
export function roomTopic(noteId: string): string {
  return `note-room:${noteId}`;
}

/**
 * Subscribes to every change of the caller's notes and, with `note_id`, to changes of that note, which may belong to
 * another user. Each event has the form `{"user_id","key_id","operation","target"}`. With `room=1`, also subscribes to
 * the shared editing of the note (its room); those events have the field `room`.
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
  // If another user wrote the note, `concerns` forwards only this note's events from the author's topic, because the
  // caller may have no access to the author's other notes.
  const room = query('room') === '1' ? [roomTopic(noteId)] : [];
  return {
    topic: own,
    also: [...(userId === caller.userId ? [] : [notesTopic(userId)]), ...room],
    concerns: (event, topic) =>
      topic === own || room.includes(topic) || (event as { target?: string }).target === noteId,
    first: {},
  };
};
