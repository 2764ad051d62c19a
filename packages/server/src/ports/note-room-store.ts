import type { Stamp } from './audit-stamp.ts';
import type { DocumentLease } from './document-leases.ts';
import type { Note, NoteLimits, NotePreview } from './note-store.ts';

/**
 * Stored shared document (room) of a note that is being edited. `state` contains exactly the note's text at `version`;
 * `updates` are the changes since then.
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
  /** User ids by Yjs client id, for each writer. */
  readonly writers: ReadonlyMap<number, string>;
}

/**
 * Yjs client id with which a user writes for the first time, and the user's id. It is stored to find the author of
 * later changes.
 */
export type NewWriter = readonly [client: number, userId: string];

/**
 * Stores the shared documents (rooms) of open notes. A write is atomic and durable when its promise resolves. Every
 * write is passed the lease of the note's room, and throws LeaseLost if another node holds the room now.
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
   * Sets the state of the shared document to a newer version of the note that was not written through this document.
   * Keeps the document's stored updates.
   */
  absorb(lease: DocumentLease, change: { noteId: string; version: number; state: Uint8Array }): Promise<void>;
  /**
   * Writes the text of the shared document as a new version of the note, stores the document's state at that version
   * and deletes its updates up to number `seq`. Throws NoteRefused like `NoteStore.replace`. Adds an audit row for each
   * stamp; the new version refers to the first stamp.
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
