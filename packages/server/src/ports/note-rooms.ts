import type { NoteRefusal } from './note-store.ts';

/**
 * One message of a writer to the room of a note, that is, to the shared Yjs document in which several writers edit the
 * note. The fields `stateVector` and `update` are binary and encoded as base64. The caller must have checked that the
 * user may write the note.
 */
export interface RoomMessage {
  readonly noteId: string;
  readonly authorId: string;
  readonly user: {
    readonly userId: string;
    readonly name: string;
    readonly keyId: string;
    readonly requestId: string;
  };
  /** Number by which Yjs identifies the writer's copy of the shared document. */
  readonly client: number;
  /** Id of the shared document of which the writer has a copy; undefined at the first call. */
  readonly roomId?: string | undefined;
  readonly stateVector?: string | undefined;
  readonly update?: string | undefined;
  /** Position of the writer's selection, which is shown to the other writers. */
  readonly cursor?: string | undefined;
  readonly isLeaving?: boolean | undefined;
}

export interface PersonInRoom {
  readonly client: number;
  readonly user_id: string;
  readonly name: string;
  readonly cursor: string;
}

export interface RoomReply {
  readonly roomId: string;
  /**
   * The Yjs changes that the writer's copy of the shared document lacks, or the whole document if the writer has no
   * copy.
   */
  readonly update: string;
  readonly version: number;
  readonly people: readonly PersonInRoom[];
}

export type RoomRefusal =
  | { reason: 'update'; message: string }
  /** The writer's copy is of an earlier shared document, or it builds on changes that the shared document lacks. */
  | { reason: 'outdated'; message: string }
  | { reason: 'busy'; message: string }
  | { reason: 'note'; why: NoteRefusal };

export class RoomRefused extends Error {
  readonly why: RoomRefusal;

  constructor(why: RoomRefusal) {
    super(why.reason === 'note' ? why.why.reason : why.message);
    this.name = 'RoomRefused';
    this.why = why;
  }
}

/**
 * Gives access, on any node, to the rooms of open notes. A room is the shared document in which several writers edit a
 * note. When the promise of `sync` resolves, the writer's change is stored. `sync` throws RoomRefused if the message is
 * refused.
 */
export interface NoteRooms {
  sync(message: RoomMessage): Promise<RoomReply>;
  /**
   * Saves the unsaved changes of the note's room (shared document) as a new version of the note, so that a reader of
   * the note sees them. Does nothing if no node has the room open. Ignores failures, because the changes are then saved
   * later.
   */
  flush(noteId: string): Promise<void>;
}
