import { LeaseLost, type DocumentLease } from '../../../src/ports/document-leases.ts';
import { NoteRefused, type Note } from '../../../src/ports/note-store.ts';
import type { NoteRoomStore, StoredRoom } from '../../../src/ports/note-room-store.ts';
import type { RoomHost } from '../../../src/modules/note/rooms/note-room.ts';

/**
 * A note and its room in memory, by the guarantees of NoteRoomStore, for thousands of programs a second. The real stores
 * are tested in test/adapters/note-room-store.test.ts.
 */
export class StoredNote {
  readonly ids = { id: 'note_1', userId: 'author' };
  #markdown: string;
  #version = 1;
  #token = 0;
  #room: StoredRoom | undefined;

  constructor(markdown: string) {
    this.#markdown = markdown;
  }

  get markdown(): string {
    return this.#markdown;
  }

  /** Writes a version past the room. */
  write(markdown: string): void {
    this.#markdown = markdown;
    this.#version += 1;
  }

  takeLease(): DocumentLease {
    return { resource: 'note:note_1', token: ++this.#token };
  }

  host(): RoomHost {
    let rooms = 0;
    return {
      store: this.#store(),
      limits: { noteBytes: 2 ** 20, quotaBytes: 2 ** 30, notebooks: 1 },
      notes: { version: async () => ({ version: this.#version, markdown: this.#markdown }) },
      now: () => 0,
      newRoomId: () => `room_${rooms++}`,
      preview: async () => () => ({ title: '', titleKey: '', summary: '', coverImage: '' }),
    };
  }

  #check(lease: DocumentLease): StoredRoom {
    if (lease.token !== this.#token) throw new LeaseLost(lease.resource);
    return this.#room!;
  }

  #store(): NoteRoomStore {
    return {
      load: async () => this.#room,
      create: async (lease, { roomId, version, state }) => {
        this.#check(lease);
        this.#room = { roomId, version, state, updates: [], seq: 0, writers: new Map() };
      },
      append: async (lease, { seq, update, writers }) => {
        const room = this.#check(lease);
        this.#room = {
          ...room,
          seq,
          updates: [...room.updates, update],
          writers: new Map([...room.writers, ...writers]),
        };
      },
      compact: async (lease, { update }) => {
        this.#room = { ...this.#check(lease), updates: [update] };
      },
      absorb: async (lease, { version, state }) => {
        this.#room = { ...this.#check(lease), version, state };
      },
      save: async (_stamps, lease, { markdown, baseVersion }, { state }) => {
        const room = this.#check(lease);
        if (baseVersion !== this.#version)
          throw new NoteRefused({ reason: 'stale', version: this.#version, baseVersion });
        this.write(markdown);
        this.#room = { ...room, version: this.#version, state, updates: [] };
        return { version: this.#version } as Note;
      },
      deleteUnused: async () => 0,
    };
  }
}
