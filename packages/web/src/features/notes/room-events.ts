import { Store } from '../../ui/store.ts';

/**
 * The note whose room this page is in. The page's one stream of events then contains those of the room too, because a
 * browser opens few connections to a server.
 */
export const noteInRoom = new Store<string | undefined>(undefined);

interface RoomStreamListener {
  /** The stream was opened: events may have been missed before. */
  onOpen(): void;
  onEvent(event: unknown): void;
}

let current: RoomStreamListener | undefined;

/** Listens to the events of the room of a note. Returns a function that stops it. */
export function listenToRoom(noteId: string, listener: RoomStreamListener): () => void {
  current = listener;
  noteInRoom.set(noteId);
  return () => {
    if (current !== listener) return;
    current = undefined;
    noteInRoom.set(undefined);
  };
}

/**
 * Passes an event of the page's stream on. The first event of each connection says nothing but that it is open. Returns
 * whether the event is one of the room, and so changes nothing in the lists of notes.
 */
export function passToRoom(event: unknown, isFirst: boolean): boolean {
  const isOfRoom = typeof event === 'object' && event !== null && 'room' in event;
  if (isFirst) current?.onOpen();
  else if (isOfRoom) current?.onEvent(event);
  return isOfRoom;
}
