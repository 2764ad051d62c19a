import type { Stamp } from './audit-stamp.ts';
import type { DocumentLease } from './document-leases.ts';
import type { Note, NoteLimits, NotePreview } from './note-store.ts';

/** The stored room of a note. The text of `state` is exactly the note's text at `version`; `updates` came after it. */
export interface StoredRoom {
  /** Changes when the shared document is created again, so that earlier copies of it can no longer be merged. */
  readonly roomId: string;
  readonly version: number;
  readonly state: Uint8Array;
  readonly updates: readonly Uint8Array[];
  /** Number of the last update; the numbers of a room only increase. */
  readonly seq: number;
  /** The user of each writer, by Yjs client id. */
  readonly writers: ReadonlyMap<number, string>;
}

/** A user's first use of a Yjs client id. */
export type NewWriter = readonly [client: number, userId: string];

/**
 * Stores the shared documents of open notes. Guarantees: a write is atomic and durable when its promise resolves; every
 * write carries the lease of the room and throws LeaseLost if another node has taken it over.
 */
export interface NoteRoomStore {
  load(noteId: string): Promise<StoredRoom | undefined>;
  /** Replaces the room of a note, if any, by a new one without updates. Counts its state against the author's quota. */
  create(
    lease: DocumentLease,
    room: { noteId: string; userId: string } & Pick<StoredRoom, 'roomId' | 'version' | 'state'>,
    limits: NoteLimits,
  ): Promise<void>;
  append(
    lease: DocumentLease,
    change: { noteId: string; seq: number; update: Uint8Array; writers: readonly NewWriter[] },
  ): Promise<void>;
  /** Replaces the updates up to `seq` by one. */
  compact(lease: DocumentLease, change: { noteId: string; seq: number; update: Uint8Array }): Promise<void>;
  /** Records the state of a version that was written outside the room. The updates stay. */
  absorb(lease: DocumentLease, change: { noteId: string; version: number; state: Uint8Array }): Promise<void>;
  /**
   * Writes the text as a new version of the note, records its state and deletes the updates up to `seq`. Throws
   * NoteRefused as `NoteStore.replace` does. Each stamp gets an audit row; the version carries the first.
   */
  save(
    stamps: readonly [Stamp, ...Stamp[]],
    lease: DocumentLease,
    change: {
      id: string;
      userId: string;
      markdown: string;
      baseVersion: number;
      preview: (title: string | undefined) => NotePreview;
    },
    room: { state: Uint8Array; seq: number },
    limits: NoteLimits,
  ): Promise<Note>;
  /** Deletes up to `limit` rooms without unsaved updates that were last written before a time. Returns their number. */
  deleteUnused(before: number, limit: number): Promise<number>;
}
