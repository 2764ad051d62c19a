import { Buffer } from 'node:buffer';
import type { Services } from '../../../context.ts';
import { runInBackground } from '../../../lib/background-tasks.ts';
import type { DocumentLease } from '../../../ports/document-leases.ts';
import { RoomRefused, type PersonInRoom, type RoomMessage, type RoomReply } from '../../../ports/note-rooms.ts';
import { NoteRefused } from '../../../ports/note-store.ts';
import { notesTopic, roomTopic } from '../events.ts';
import { roomOperation, type NoteRoom } from './note-room.ts';

/** Time in milliseconds without changes after which the text of an open note is saved as a new version. */
const pauseMs = 1000;
/** Maximum time in milliseconds between two saved versions of a note while changes keep arriving. */
const maxUnsavedMs = 5000;
/** Time in milliseconds after which saving is tried again, if the store refused to save the note's new version. */
const retryMs = 10_000;
/** Time in milliseconds without a message after which a writer counts as absent. */
const absentMs = 40_000;
const maxPeople = 100;
/** Maximum number of people listed in an event, because events must be small. */
const maxListed = 15;
const maxNameLength = 40;
/**
 * Maximum size in bytes of a text change (Yjs update) that is sent inside an event. If the change is larger, the event
 * leaves it out, and clients fetch it.
 */
const maxEventUpdate = 3000;

export type RoomServices = Pick<Services, 'events' | 'clock' | 'log' | 'notes' | 'accounts' | 'searchFeed'>;

interface Person extends PersonInRoom {
  readonly seenAt: number;
}

/** Author of a change of a note, as shown to everybody who is editing the note. */
interface Author {
  readonly user_id: string;
  readonly name: string;
  readonly key_id: string;
  /**
   * Name of the operation that made the change, '' if it is unknown. Undefined for a change that a person made in the
   * shared editor.
   */
  readonly operation?: string;
}

/**
 * A note that several people are editing together, and the list of these people, in the memory of this server node.
 * Publishes their changes and decides when to save the text.
 */
export class LiveRoom {
  readonly room: NoteRoom;
  readonly lease: DocumentLease;
  readonly #services: RoomServices;
  readonly #people = new Map<number, Person>();
  readonly #unsubscribe: () => void;
  #changedAt = 0;
  #unsavedSince: number | undefined;
  /** Time of the next attempt to save after a refused attempt; 0 if the last attempt was not refused. */
  #retryAt = 0;
  #usedAt: number;
  /** Number of the last published event of this note. Clients use the numbers to detect missed events. */
  #number = 0;
  #lastWriter = { userId: '', keyId: '' };

  constructor(room: NoteRoom, lease: DocumentLease, services: RoomServices) {
    this.room = room;
    this.lease = lease;
    this.#services = services;
    this.#usedAt = services.clock.now();
    // Updates may have been stored before this node opened the room, without being part of a saved version of the note.
    // Schedule a save for them.
    if (room.isDirty) this.#noteChange();
    this.#unsubscribe = services.events.subscribe(notesTopic(room.authorId), (data) => {
      const news = data as { target: string; operation: string; user_id: string; key_id: string };
      if (news.target === room.noteId && news.operation !== roomOperation)
        runInBackground('reading an open note again', () => this.absorb(news));
    });
  }

  async sync(message: RoomMessage): Promise<RoomReply> {
    const { room } = this;
    this.#usedAt = this.#services.clock.now();
    const isSame = message.roomId === room.roomId;
    if (message.update !== undefined) {
      if (!isSame)
        throw new RoomRefused({ reason: 'outdated', message: 'room_id: the room was made anew; join it again' });
      const update = Buffer.from(message.update, 'base64');
      const { userId, keyId, name, requestId } = message.user;
      if (await room.push(update, { userId, keyId, requestId })) {
        this.#lastWriter = { userId, keyId };
        this.#noteChange();
        this.#publish(update, { user_id: userId, name, key_id: keyId });
      }
    }
    this.#meet(message);
    const known = isSame && message.stateVector !== undefined ? Buffer.from(message.stateVector, 'base64') : undefined;
    return {
      roomId: room.roomId,
      update: toBase64(this.#encode(known)),
      version: room.version,
      people: this.#listed(),
    };
  }

  #encode(stateVector: Uint8Array | undefined): Uint8Array {
    try {
      return this.room.encode(stateVector);
    } catch {
      throw new RoomRefused({ reason: 'update', message: 'state_vector: is not a state vector of Yjs' });
    }
  }

  #meet({ client, user, cursor = '', isLeaving }: RoomMessage): void {
    const before = this.#people.get(client);
    if (before && before.user_id !== user.userId)
      throw new RoomRefused({ reason: 'update', message: `client: ${client} belongs to another user` });
    if (isLeaving) {
      if (this.#people.delete(client)) this.#publish();
      return;
    }
    if (!before && this.#people.size >= maxPeople)
      throw new RoomRefused({ reason: 'busy', message: `at most ${maxPeople} people can be in a note at once` });
    const { userId: user_id } = user;
    const name = user.name.slice(0, maxNameLength);
    this.#people.set(client, { client, user_id, name, cursor, seenAt: this.#services.clock.now() });
    if (before?.cursor !== cursor) this.#publish();
    // Notify all browser tabs of the note's author that somebody has started to edit the note together with others,
    // because a tab may show the note without taking part in the shared editing.
    if (!before) this.#tellAuthor(user.userId, user.keyId);
  }

  #listed(): PersonInRoom[] {
    return [...this.#people.values()].slice(-maxListed).map(({ seenAt: _seenAt, ...person }) => person);
  }

  async removePeople(isOut: (userId: string) => Promise<boolean>): Promise<void> {
    const users = new Set([...this.#people.values()].map(({ user_id }) => user_id));
    for (const userId of users) {
      if (!(await isOut(userId))) continue;
      for (const [client, person] of this.#people) if (person.user_id === userId) this.#people.delete(client);
      this.#publish();
    }
  }

  /**
   * Merges a version of the note that was written outside of the shared editor. Publishes the change to the people who
   * edit the note, with the user, API key and operation that `news` names.
   */
  async absorb(news: { user_id?: string; key_id?: string; operation?: string }): Promise<void> {
    try {
      const update = await this.room.absorb();
      if (!update) return;
      const { user_id = '', key_id = '', operation = '' } = news;
      const name = user_id === '' ? '' : ((await this.#services.accounts.user(user_id))?.name ?? '');
      this.#publish(update, { user_id, name, key_id, operation });
    } catch (error) {
      // Ignore a NoteRefused error, for example because the note was deleted. A writer gets the same error for the next
      // message that the writer sends.
      if (!(error instanceof NoteRefused)) throw error;
    }
  }

  async save(): Promise<void> {
    this.#retryAt = this.#services.clock.now() + retryMs;
    const { note, absorbed } = await this.room.save();
    this.#retryAt = 0;
    this.#unsavedSince = undefined;
    for (const update of absorbed) this.#publish(update, { user_id: '', name: '', key_id: '', operation: '' });
    if (!note) return;
    this.#services.searchFeed.wake();
    this.#tellAuthor(this.#lastWriter.userId, this.#lastWriter.keyId);
    this.#publish();
  }

  /**
   * Called at short intervals. Saves the text when writers pause, when changes have been unsaved for `maxUnsavedMs`, or
   * when nobody is left. Removes people whose client stopped sending messages.
   */
  async tick(): Promise<void> {
    const now = this.#services.clock.now();
    for (const [client, { seenAt }] of this.#people) {
      if (now - seenAt <= absentMs) continue;
      this.#people.delete(client);
      this.#publish();
    }
    if (this.#unsavedSince === undefined) return;
    if (now < this.#retryAt) return;
    const isDue = now - this.#changedAt >= pauseMs || now - this.#unsavedSince >= maxUnsavedMs;
    if (isDue || this.#people.size === 0) await this.save();
  }

  isUnused(): boolean {
    return (
      this.#people.size === 0 && this.#unsavedSince === undefined && this.#services.clock.now() - this.#usedAt > pauseMs
    );
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.room.close();
  }

  #noteChange(): void {
    this.#changedAt = this.#services.clock.now();
    this.#unsavedSince ??= this.#changedAt;
  }

  #publish(update?: Uint8Array, by?: Author): void {
    const { roomId, version, noteId } = this.room;
    this.#number += 1;
    const isSmall = update !== undefined && update.length <= maxEventUpdate;
    this.#send(roomTopic(noteId), {
      room: roomId,
      lease: this.lease.token,
      number: this.#number,
      version,
      ...(by ? { by } : { people: this.#listed() }),
      ...(isSmall ? { update: toBase64(update) } : {}),
    });
  }

  #tellAuthor(userId: string, keyId: string): void {
    this.#send(notesTopic(this.room.authorId), {
      user_id: userId,
      key_id: keyId,
      operation: roomOperation,
      target: this.room.noteId,
    });
  }

  #send(topic: string, data: unknown): void {
    this.#services.events
      .publish(topic, data)
      .catch((error: unknown) => this.#services.log.warn({ err: error }, 'news of an open note'));
  }
}

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
