import type { Clock } from '../../../ports/clock.ts';
import type { DocumentLease } from '../../../ports/document-leases.ts';
import type { Note, NoteLimits } from '../../../ports/note-store.ts';
import type { NoteRoomStore, StoredRoom } from '../../../ports/note-room-store.ts';
import type { Database, Sql } from '../database.ts';
import { leaseLock, requireLease } from '../document-leases.ts';
import { sql } from '../statement.ts';
import { replaceNoteText } from './change-notes.ts';
import { chargeNoteStorage, checkNoteSize, liveNote } from './note-writes.ts';
import { encodeText } from './stored-text.ts';

interface RoomRow {
  user_id: string;
  room_id: string;
  version: number;
  state: Uint8Array;
  bytes: number;
  seq: number;
}

/**
 * Deletes the stored room of a note, that is, the shared state that several people and agents edit at once. Does not
 * refund the room's bytes to the user's storage quota; the caller must do so.
 */
export async function deleteRoom(tx: Sql, noteId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM note_room_update WHERE note_id = ${noteId}`);
  await tx.execute(sql`DELETE FROM note_room_writer WHERE note_id = ${noteId}`);
  await tx.execute(sql`DELETE FROM note_room WHERE note_id = ${noteId}`);
}

export class SqlNoteRoomStore implements NoteRoomStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async load(noteId: string): Promise<StoredRoom | undefined> {
    // The three reads need no transaction. Only the node that holds the lease writes, and it reads before its first
    // write.
    const room = await this.#db.get<RoomRow>(sql`SELECT * FROM note_room WHERE note_id = ${noteId}`);
    if (!room) return undefined;
    const updates = await this.#db.all<{ seq: number; body: Uint8Array }>(sql`SELECT seq, body FROM note_room_update
      WHERE note_id = ${noteId} ORDER BY seq`);
    const writers = await this.#db.all<{ client: number; user_id: string }>(sql`SELECT client, user_id
      FROM note_room_writer WHERE note_id = ${noteId}`);
    return {
      roomId: room.room_id,
      version: room.version,
      state: room.state,
      updates: updates.map(({ body }) => body),
      seq: Math.max(room.seq, updates.at(-1)?.seq ?? 0),
      writers: new Map(writers.map(({ client, user_id: userId }) => [client, userId])),
    };
  }

  create(...[lease, room, limits]: Parameters<NoteRoomStore['create']>): Promise<void> {
    const { noteId, userId, roomId, version, state } = room;
    return this.#write(lease, [noteId], async (tx) => {
      const old = await tx.get<{ bytes: number }>(sql`SELECT bytes FROM note_room WHERE note_id = ${noteId}`);
      await deleteRoom(tx, noteId);
      await this.#charge(tx, noteId, userId, state.length - (old?.bytes ?? 0), limits);
      await tx.execute(sql`INSERT INTO note_room (note_id, user_id, room_id, version, state, bytes, seq, used_at)
        VALUES (${noteId}, ${userId}, ${roomId}, ${version}, ${state}, ${state.length}, 0, ${this.#clock.now()})`);
    });
  }

  append(...[lease, change]: Parameters<NoteRoomStore['append']>): Promise<void> {
    const { noteId, seq, update, writers } = change;
    return this.#write(lease, [], async (tx) => {
      await tx.execute(sql`INSERT INTO note_room_update (note_id, seq, body) VALUES (${noteId}, ${seq}, ${update})`);
      for (const [client, userId] of writers)
        await tx.execute(sql`INSERT INTO note_room_writer (note_id, client, user_id)
          VALUES (${noteId}, ${client}, ${userId})`);
    });
  }

  compact(...[lease, { noteId, seq, update }]: Parameters<NoteRoomStore['compact']>): Promise<void> {
    return this.#write(lease, [], async (tx) => {
      await tx.execute(sql`DELETE FROM note_room_update WHERE note_id = ${noteId} AND seq <= ${seq}`);
      await tx.execute(sql`INSERT INTO note_room_update (note_id, seq, body) VALUES (${noteId}, ${seq}, ${update})`);
    });
  }

  absorb(...[lease, { noteId, version, state }]: Parameters<NoteRoomStore['absorb']>): Promise<void> {
    return this.#write(lease, [], (tx) =>
      tx.execute(sql`UPDATE note_room SET version = ${version}, state = ${state}, used_at = ${this.#clock.now()}
        WHERE note_id = ${noteId}`),
    );
  }

  async save(...[stamps, lease, change, room, limits]: Parameters<NoteRoomStore['save']>): Promise<Note> {
    const { id, userId, markdown } = change;
    const stored = await encodeText(markdown);
    checkNoteSize(stored.size, limits);
    const lock = [`note:${id}`, leaseLock(lease.resource)];
    return this.#db.write(stamps, { target: id, lock }, async (tx) => {
      await requireLease(tx, lease);
      await chargeNoteStorage(tx, userId, stored.size, limits);
      const note = await replaceNoteText(tx, stamps[0], await liveNote(tx, userId, id), { ...change, stored });
      const old = await tx.get<{ bytes: number }>(sql`SELECT bytes FROM note_room WHERE note_id = ${id}`);
      await this.#charge(tx, id, userId, room.state.length - (old?.bytes ?? 0), limits);
      await tx.execute(sql`UPDATE note_room SET version = ${note.version}, state = ${room.state},
        bytes = ${room.state.length}, seq = ${room.seq}, used_at = ${this.#clock.now()} WHERE note_id = ${id}`);
      await tx.execute(sql`DELETE FROM note_room_update WHERE note_id = ${id} AND seq <= ${room.seq}`);
      return note;
    });
  }

  async deleteUnused(before: number, limit: number): Promise<number> {
    const due = await this.#db.all<{ note_id: string; user_id: string }>(sql`SELECT note_id, user_id FROM note_room
      WHERE used_at < ${before} LIMIT ${limit}`);
    let deleted = 0;
    for (const { note_id: id, user_id: userId } of due) {
      const lock = [`note:${id}`, leaseLock(`note:${id}`)];
      deleted += await this.#db.write(null, { lock }, async (tx) => {
        const row = await tx.get<{ bytes: number }>(sql`SELECT bytes FROM note_room WHERE note_id = ${id}
          AND used_at < ${before} AND NOT EXISTS (SELECT 1 FROM note_room_update u WHERE u.note_id = ${id})
          AND NOT EXISTS (SELECT 1 FROM document_lease l WHERE l.resource = ${`note:${id}`}
            AND l.expires_at > ${this.#clock.now()})`);
        if (!row) return 0;
        await deleteRoom(tx, id);
        await this.#charge(tx, id, userId, -row.bytes);
        return 1;
      });
    }
    return deleted;
  }

  /**
   * Charges bytes of a note's room to the user's storage quota; a negative number refunds bytes. Also adds the number
   * to the note's stored bytes, which are refunded when the note is deleted permanently.
   */
  async #charge(tx: Sql, noteId: string, userId: string, bytes: number, limits?: NoteLimits): Promise<void> {
    if (bytes === 0) return;
    await chargeNoteStorage(tx, userId, bytes, limits ?? { noteBytes: 0, quotaBytes: 0, notebooks: 0 });
    await tx.execute(sql`UPDATE note SET stored_bytes = stored_bytes + ${bytes} WHERE id = ${noteId}`);
  }

  #write<Result>(lease: DocumentLease, notes: readonly string[], body: (tx: Sql) => Promise<Result>): Promise<Result> {
    const lock = [...notes.map((id) => `note:${id}`), leaseLock(lease.resource)];
    return this.#db.write(null, { lock }, async (tx) => {
      await requireLease(tx, lease);
      return body(tx);
    });
  }
}
