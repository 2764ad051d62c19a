import type { Stamp } from './audit-stamp.ts';
import type { DocumentLease } from './document-leases.ts';
import type { Note, NoteLimits, NotePreview } from './note-store.ts';

/**
 * Stored form of a room: the shared Yjs document in which several users edit one note. `state` contains exactly the
 * note's text at `version`; `updates` are the changes since then.
 */
export interface StoredRoom {
  /**
   * Id of the shared document. It changes when the shared document is created again, so that copies of the old one
   * cannot be merged into the new one.
   */
  readonly roomId: string;
  readonly version: number;
  readonly state: Uint8Array;
  readonly updates: readonly Uint8Array[];
  /**
   * Sequence number of the last update. Every update of the shared document gets a higher number than the one before.
   */
  readonly seq: number;
  /** Maps each Yjs client id with which somebody has written in the shared document to the id of that user. */
  readonly writers: ReadonlyMap<number, string>;
}

/**
 * A Yjs client id that appears in the shared document for the first time, and the user who writes with it. The pair is
 * stored, so that only this user can write with this client id later.
 */
export type NewWriter = readonly [client: number, userId: string];

/**
 * Stores the shared documents (rooms) of open notes. A write is atomic, and durable when its promise resolves. The
 * caller of a write passes its lease, which is the right of one node to change the room. The write throws LeaseLost if
 * another node has taken over this right.
 */
export interface NoteRoomStore {
  load(noteId: string): Promise<StoredRoom | undefined>;
  /**
   * Creates the room (shared document) of a note without updates, replacing an existing room. Counts its state against
   * the author's quota.
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
  /** Replaces the updates of a note's shared document up to number `seq` by one merged update. */
  compact(lease: DocumentLease, change: { noteId: string; seq: number; update: Uint8Array }): Promise<void>;
  /**
   * Called after the note was changed in another way than through its shared document, for example by an API operation.
   * Stores the number of the note's new version and the document's state at that version. Keeps the stored updates.
   */
  absorb(lease: DocumentLease, change: { noteId: string; version: number; state: Uint8Array }): Promise<void>;
  /**
   * Writes the text of the shared document as a new version of the note, stores the document's state at that version
   * and deletes its updates up to number `seq`. Throws NoteRefused like `NoteStore.replace`. Adds a row to the audit
   * log for each stamp (who wrote, and when); the new version is recorded with the first stamp.
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
  /**
   * Deletes up to `limit` note rooms (shared documents) that were last written before a time and have no changes left
   * to save. Returns their number.
   */
  deleteUnused(before: number, limit: number): Promise<number>;
}
