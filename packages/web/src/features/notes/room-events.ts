import { Store } from '../../ui/store.ts';

/**
 * Id of the note whose room (shared document) this browser tab has joined. The tab's only event stream then also
 * contains the room's events, because browsers limit the connections per server.
 */
export const joinedRoomNoteId = new Store<string | undefined>(undefined);

interface RoomStreamListener {
  /** Called when the stream has opened. Events before that may have been missed. */
  onOpen(): void;
  onEvent(event: unknown): void;
}

let current: RoomStreamListener | undefined;

/** Listens to the events of a note's room (shared document). Returns a function that stops listening. */
export function listenToRoom(noteId: string, listener: RoomStreamListener): () => void {
  current = listener;
  joinedRoomNoteId.set(noteId);
  return () => {
    if (current !== listener) return;
    current = undefined;
    joinedRoomNoteId.set(undefined);
  };
}

/**
 * Forwards an event of the event stream to the listener of the open note's room (shared document). The first event of
 * each connection only reports that the stream is open. Returns whether the event belongs to a room: such events do not
 * change the note lists.
 */
export function forwardRoomEvent(event: unknown, isFirst: boolean): boolean {
  const isOfRoom = typeof event === 'object' && event !== null && 'room' in event;
  if (isFirst) current?.onOpen();
  else if (isOfRoom) current?.onEvent(event);
  return isOfRoom;
}
