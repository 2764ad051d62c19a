import { HttpNodeCalls } from '../adapters/nodes/http-node-calls.ts';
import { SqlDocumentLeases } from '../adapters/sql/document-leases.ts';
import { SqlNoteRoomStore } from '../adapters/sql/notes/note-room-store.ts';
import type { Services } from '../context.ts';
import { newId } from '../lib/ids.ts';
import type { NodeAddress } from '../lib/node-address.ts';
import { HostedNoteRooms } from '../modules/note/rooms/hosted-note-rooms.ts';
import type { CoreServices } from './core-services.ts';
import type { Storage } from './open-storage.ts';
import type { ResourceStack } from './resource-stack.ts';

/** Opens the rooms of notes that several people and agents edit at once, on this node and by calls on the others. */
export function openNoteRooms(
  base: CoreServices,
  { database, leaseClock, secret, nodes, accounts, permissions, events }: Storage,
  notes: Pick<Services, 'notes' | 'markdown' | 'searchFeed'>,
  address: NodeAddress,
  opened: ResourceStack,
) {
  const nodeCalls = new HttpNodeCalls(secret, leaseClock, address);
  // Only one process uses a data folder, so a lease of an earlier process is its own.
  const node = database.dialect.name === 'sqlite' ? 'local' : newId('node');
  const leases = new SqlDocumentLeases(database, leaseClock, node, () => address.url);
  const store = new SqlNoteRoomStore(database, leaseClock);
  const { searchFeed, markdown } = notes;
  const services = { ...base, accounts, permissions, events, notes: notes.notes, searchFeed, markdown };
  const noteRooms = new HostedNoteRooms({ ...services, store, leases, nodeCalls, nodes });
  opened.add('the open notes', noteRooms, () => noteRooms.close());
  return { noteRooms, nodeCalls, roomStore: store };
}
