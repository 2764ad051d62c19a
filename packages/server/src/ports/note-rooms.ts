import type { NoteRefusal } from './note-store.ts';

/**
 * One message of a writer to the room of a note. Binary fields are base64. The caller must have checked that the user
 * may write the note.
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
  /** The writer's Yjs client id. */
  readonly client: number;
  /** Id of the room from which the writer's document comes; undefined at the first call. */
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
  /** The changes that the writer's document lacks, or the whole document if the writer has no document of this room. */
  readonly update: string;
  readonly version: number;
  readonly people: readonly PersonInRoom[];
}

export type RoomRefusal =
  | { reason: 'update'; message: string }
  /** The writer's document belongs to an earlier room, or it builds on changes that the room does not have. */
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
 * note. When a promise resolves, the change is stored. Methods throw RoomRefused.
 */
export interface NoteRooms {
  sync(message: RoomMessage): Promise<RoomReply>;
  /** Writes unsaved changes as a version of the note, if the note has an open room. */
  flush(noteId: string): Promise<void>;
}
