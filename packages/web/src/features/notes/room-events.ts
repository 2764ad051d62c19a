import { Store } from '../../ui/store.ts';

/**
 * Id of the note whose room (shared document) this page has joined. The page's single event stream then includes the
 * room's events, because browsers limit the connections per server.
 */
export const joinedRoomNoteId = new Store<string | undefined>(undefined);

interface RoomStreamListener {
  /** Called when the stream has opened. Events may have been missed until then. */
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
 * Forwards an event of the page's event stream to the listener of the open note's room (the people who edit that note
 * together). The first event of each connection only reports that the stream is open. Returns whether the event
 * belongs to a room; events of a room do not change the note lists.
 */
export function forwardRoomEvent(event: unknown, isFirst: boolean): boolean {
  const isOfRoom = typeof event === 'object' && event !== null && 'room' in event;
  if (isFirst) current?.onOpen();
  else if (isOfRoom) current?.onEvent(event);
  return isOfRoom;
}
