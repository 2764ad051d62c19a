import type { SubscriptionResolver } from '../../kernel/module.ts';
import { requireNote } from './note-access.ts';

export function notesTopic(userId: string): string {
  return `note:${userId}`;
}

/**
 * Returns the topic of events about a note's room, in which several writers edit the note at once: changes made in the
 * room, and the list of people in it.
 */
export function roomTopic(noteId: string): string {
  return `note-room:${noteId}`;
}

/**
 * Subscribes to every change of the caller's notes and, with `note_id`, to changes of that note, which may be shared by
 * another user. Each event has the form `{"user_id","key_id","operation","target"}`. With `room=1`, also subscribes to
 * the note's room, whose events have the field `room`.
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
  // Forward only events of this note. The topic of the author's notes also has events of notes to which the caller may
  // have no access.
  const room = query('room') === '1' ? [roomTopic(noteId)] : [];
  return {
    topic: own,
    also: [...(userId === caller.userId ? [] : [notesTopic(userId)]), ...room],
    concerns: (event, topic) =>
      topic === own || room.includes(topic) || (event as { target?: string }).target === noteId,
    first: {},
  };
};
