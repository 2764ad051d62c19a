import { SqlNoteRoomStore } from '../adapters/sql/notes/note-room-store.ts';
import type { Services } from '../context.ts';
import { HostedNoteRooms } from '../modules/note/rooms/hosted-note-rooms.ts';
import type { CoreServices } from './core-services.ts';
import type { NodeServices } from './open-nodes.ts';
import type { StorageServices } from './open-storage.ts';
import type { ResourceStack } from './resource-stack.ts';

/**
 * Opens the editing rooms of notes, in which several people and agents edit a note at once. A room is either on this
 * node or reached by calls to another node.
 */
export function openNoteRooms(
  base: CoreServices,
  { database, leaseClock, accounts, permissions, events }: StorageServices,
  notes: Pick<Services, 'notes' | 'markdown' | 'searchFeed'>,
  { leases, nodeCalls, nodes }: NodeServices,
  opened: ResourceStack,
) {
  const store = new SqlNoteRoomStore(database, leaseClock);
  const { searchFeed, markdown } = notes;
  const services = { ...base, accounts, permissions, events, notes: notes.notes, searchFeed, markdown };
  const noteRooms = new HostedNoteRooms({ ...services, store, leases, nodeCalls, nodes });
  opened.add('the open notes', noteRooms, () => noteRooms.close());
  return { noteRooms, roomStore: store };
}
