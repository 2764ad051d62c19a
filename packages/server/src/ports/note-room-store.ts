import type { Stamp } from './audit-stamp.ts';
import type { DocumentLease } from './document-leases.ts';
import type { Note, NoteLimits, NotePreview } from './note-store.ts';

/**
 * Stored shared document (room) of a note that is being edited. `state` contains exactly the note's text at `version`;
 * `updates` are the changes since then.
 */
export interface StoredRoom {
  /**
   * Id of the room. It changes when the shared document is created again, so that older copies cannot be merged into
   * it.
   */
  readonly roomId: string;
  readonly version: number;
  readonly state: Uint8Array;
  readonly updates: readonly Uint8Array[];
  /** Sequence number of the room's last update. Every update of a room gets a higher number than the one before. */
  readonly seq: number;
  /** User ids by Yjs client id, for each writer. */
  readonly writers: ReadonlyMap<number, string>;
}

/** A user's first use of a Yjs client id. */
export type NewWriter = readonly [client: number, userId: string];

/**
 * Stores the shared documents of open notes. A write is atomic and durable when its promise resolves. Every write takes
 * the lease of the room and throws LeaseLost if another node holds the room now.
 */
export interface NoteRoomStore {
  load(noteId: string): Promise<StoredRoom | undefined>;
  /**
   * Creates the room of a note without updates, replacing an existing room. Counts its state against the author's
   * quota.
   */
  create(
    lease: DocumentLease,
    room: { noteId: string; userId: string } & Pick<StoredRoom, 'roomId' | 'version' | 'state'>,
    limits: NoteLimits,
  ): Promise<void>;
  append(
    lease: DocumentLease,
    change: { noteId: string; seq: number; update: Uint8Array; writers: readonly NewWriter[] },
  ): Promise<void>;
  /** Replaces the room's updates up to `seq` by one merged update. */
  compact(lease: DocumentLease, change: { noteId: string; seq: number; update: Uint8Array }): Promise<void>;
  /** Sets the room's state to a version of the note that was written outside the room. Keeps the updates. */
  absorb(lease: DocumentLease, change: { noteId: string; version: number; state: Uint8Array }): Promise<void>;
  /**
   * Writes the room's text as a new version of the note, stores the room's state at that version and deletes the
   * room's updates up to `seq`. Throws NoteRefused like `NoteStore.replace`. Adds an audit row for each stamp; the new
   * version refers to the first stamp.
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
