import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { DocumentLease } from '../../../ports/document-leases.ts';
import { NoteRefused, type Note, type NoteLimits, type NotePreview } from '../../../ports/note-store.ts';
import type { NewWriter, NoteRoomStore, StoredRoom } from '../../../ports/note-room-store.ts';
import { UpdateRefused } from './check-update.ts';
import { mergedUpdates, minOperationClient, RoomText } from './room-text.ts';

/** Services of the server that a note room needs. A room is the shared document that several writers edit at once. */
export interface RoomHost {
  readonly store: NoteRoomStore;
  readonly limits: NoteLimits;
  readonly notes: { version(id: string): Promise<{ version: number; markdown: string } | undefined> };
  now(): number;
  newRoomId(): string;
  preview(markdown: string, userId: string): Promise<(title: string | undefined) => NotePreview>;
}

/** A person or agent that writes in a note's room, that is, edits the note together with others. */
export interface RoomWriter {
  readonly userId: string;
  readonly keyId: string;
  readonly requestId: string;
}

/**
 * Thrown by calls that were queued when a write of the note's room (shared document) failed. The code that made such a
 * call may repeat it after opening the room again.
 */
export class RoomBroken extends Error {}

/**
 * Returns whether a stored Yjs document consists mostly of traces of deleted text. The caller then replaces it by a new
 * document with the same text. Clients that still have unsent changes of the old document must then merge their whole
 * text into the new one.
 */
function isOvergrown({ state, updates }: StoredRoom): boolean {
  if (updates.length > 0 || state.length <= maxTraceBytes) return false;
  const text = RoomText.fromUpdates([state]);
  const size = Buffer.byteLength(text.markdown);
  text.close();
  return state.length > 2 * size + maxTraceBytes;
}

const maxTraceBytes = 256 * 1024;

/**
 * Maximum number of stored updates that were not saved as a version, for example because the text is empty. At this
 * number they are merged into one.
 */
const maxUpdates = 500;
const maxUnsavedBytes = 8 * 2 ** 20;
const maxWriters = 5000;
const maxSaveAttempts = 5;
export const roomOperation = 'note.sync_note';

/**
 * The text of a note that several people edit together, on the server node that holds the note's lease (the right to
 * change it). Every update is stored before it is acknowledged; `save` writes the text as a version of the note. Calls
 * run one at a time, in order.
 */
export class NoteRoom {
  readonly noteId: string;
  readonly authorId: string;
  readonly roomId: string;
  readonly #lease: DocumentLease;
  readonly #host: RoomHost;
  readonly #text: RoomText;
  readonly #writers: Map<number, string>;
  #version: number;
  #seq: number;
  #savedSeq: number;
  #updates: number;
  #unsavedBytes: number;
  /** Users who wrote since the last saved version, by user id. The most recent writer is last. */
  readonly #unsaved = new Map<string, RoomWriter>();
  #turn: Promise<unknown> = Promise.resolve();
  #isBroken = false;

  private constructor(host: RoomHost, lease: DocumentLease, note: Pick<Note, 'id' | 'userId'>, stored: StoredRoom) {
    this.#host = host;
    this.#lease = lease;
    this.noteId = note.id;
    this.authorId = note.userId;
    this.roomId = stored.roomId;
    this.#text = RoomText.fromUpdates([stored.state, ...stored.updates]);
    this.#writers = new Map(stored.writers);
    this.#version = stored.version;
    this.#seq = stored.seq;
    this.#updates = stored.updates.length;
    this.#savedSeq = stored.updates.length > 0 ? -1 : stored.seq;
    this.#unsavedBytes = stored.updates.reduce((sum, update) => sum + update.length, 0);
  }

  /**
   * Opens the stored room (shared document) of a note. Creates a new one from the note's text if there is none, or if
   * it consists mostly of traces of deleted text.
   */
  static async open(host: RoomHost, lease: DocumentLease, note: Pick<Note, 'id' | 'userId'>): Promise<NoteRoom> {
    let stored = await host.store.load(note.id);
    if (!stored || isOvergrown(stored)) {
      const current = await host.notes.version(note.id);
      if (!current) throw new NoteRefused({ reason: 'not_found', id: note.id });
      const text = RoomText.fromMarkdown(current.markdown);
      const state = text.encode();
      text.close();
      const made = { roomId: host.newRoomId(), version: current.version, state };
      await host.store.create(lease, { noteId: note.id, userId: note.userId, ...made }, host.limits);
      stored = { ...made, updates: [], seq: 0, writers: new Map() };
    }
    const room = new NoteRoom(host, lease, note, stored);
    await room.absorb();
    return room;
  }

  get version(): number {
    return this.#version;
  }

  get markdown(): string {
    return this.#text.markdown;
  }

  get isDirty(): boolean {
    return this.#seq !== this.#savedSeq;
  }

  stateVector(): Uint8Array {
    return this.#text.stateVector();
  }

  encode(stateVector?: Uint8Array): Uint8Array {
    return this.#text.encode(stateVector);
  }

  /**
   * Applies a writer's update and resolves when it is stored. Returns whether it changed anything. Throws UpdateRefused
   * for an invalid update, for example one that uses another user's client id.
   */
  push(update: Uint8Array, writer: RoomWriter): Promise<boolean> {
    return this.#inTurn(async () => {
      const { clients } = this.#text.check(update);
      const added = this.#newWriters(clients, writer.userId);
      if (this.#unsavedBytes + update.length > maxUnsavedBytes) await this.#save();
      if (!this.#text.apply(update, this.#host.limits.noteBytes)) return false;
      for (const [client, userId] of added) this.#writers.set(client, userId);
      await this.#store(update, added);
      this.#unsaved.delete(writer.userId);
      this.#unsaved.set(writer.userId, writer);
      return true;
    });
  }

  #newWriters(clients: readonly number[], userId: string): NewWriter[] {
    for (const client of clients) {
      if (client >= minOperationClient) throw new UpdateRefused(`writes as client ${client}, which is for operations`);
      const known = this.#writers.get(client);
      if (known !== undefined && known !== userId)
        throw new UpdateRefused(`writes as client ${client}, which belongs to another user`);
    }
    const added = clients.filter((client) => !this.#writers.has(client));
    // Refuse a new writer's Yjs client id if the document already contains text under this id. Such text was in the
    // note before it was shared, because the writers of all later text are known.
    const unknown = added.find((client) => this.#text.hasClient(client));
    if (unknown !== undefined) throw new UpdateRefused(`writes as client ${unknown}, which belongs to the note`);
    if (this.#writers.size + added.length > maxWriters) throw new UpdateRefused('has too many client ids');
    return added.map((client) => [client, userId] as const);
  }

  async #store(update: Uint8Array, writers: readonly NewWriter[]): Promise<void> {
    const { noteId } = this;
    const seq = this.#seq + 1;
    await this.#host.store.append(this.#lease, { noteId, seq, update, writers });
    this.#seq = seq;
    this.#updates += 1;
    this.#unsavedBytes += update.length;
    if (this.#updates < maxUpdates) return;
    const stored = await this.#host.store.load(noteId);
    if (!stored) return;
    const merged = mergedUpdates(stored.updates);
    await this.#host.store.compact(this.#lease, { noteId, seq, update: merged });
    this.#updates = 1;
    this.#unsavedBytes = merged.length;
  }

  /**
   * Merges changes of the note that did not come through this room (the shared document), for example a change by an
   * operation. Returns the update to send to the writers; undefined if there are no such changes.
   */
  absorb(): Promise<Uint8Array | undefined> {
    return this.#inTurn(() => this.#absorb());
  }

  async #absorb(): Promise<Uint8Array | undefined> {
    const { noteId } = this;
    const current = await this.#host.notes.version(noteId);
    if (!current) throw new NoteRefused({ reason: 'not_found', id: noteId });
    if (current.version === this.#version) return undefined;
    const stored = await this.#host.store.load(noteId);
    if (!stored) throw new NoteRefused({ reason: 'not_found', id: noteId });
    const { state, update } = this.#text.absorb(stored.state, current.markdown);
    await this.#host.store.absorb(this.#lease, { noteId, version: current.version, state });
    this.#version = current.version;
    return update;
  }

  /**
   * Writes the text as a new version of the note if it has changed. If the note was also changed outside of this shared
   * document, merges that change first. A blank text is not written, because a note cannot be empty. Returns the note
   * if a version was written, and the merged changes as Yjs updates.
   */
  save(): Promise<{ note: Note | undefined; absorbed: readonly Uint8Array[] }> {
    return this.#inTurn(() => this.#save());
  }

  async #save(): Promise<{ note: Note | undefined; absorbed: readonly Uint8Array[] }> {
    const absorbed: Uint8Array[] = [];
    if (!this.isDirty) return { note: undefined, absorbed };
    for (let attempt = 1; ; attempt++) {
      const markdown = this.#text.markdown;
      if (markdown.trim() === '') return { note: undefined, absorbed };
      const change = {
        id: this.noteId,
        userId: this.authorId,
        markdown,
        baseVersion: this.#version,
        preview: await this.#host.preview(markdown, this.authorId),
      };
      const room = { state: this.#text.encode(), seq: this.#seq };
      try {
        const note = await this.#host.store.save(this.#stamps(), this.#lease, change, room, this.#host.limits);
        this.#version = note.version;
        this.#savedSeq = room.seq;
        this.#updates = 0;
        this.#unsavedBytes = 0;
        this.#unsaved.clear();
        return { note, absorbed };
      } catch (error) {
        if (!(error instanceof NoteRefused) || error.reason !== 'stale' || attempt === maxSaveAttempts) throw error;
        const update = await this.#absorb();
        if (update) absorbed.push(update);
      }
    }
  }

  /**
   * Returns one audit stamp (who did what and when) per user who wrote since the last saved version, most recent writer
   * first.
   */
  #stamps(): [Stamp, ...Stamp[]] {
    const at = this.#host.now();
    const writers = [...this.#unsaved.values()].reverse();
    // After a restart, the writers of stored updates are unknown. If nobody has written since then, the version is
    // attributed to the note's author.
    const [last = { userId: this.authorId, keyId: '', requestId: '' }, ...others] = writers;
    const stampOf = (writer: RoomWriter): Stamp => ({ at, operation: roomOperation, ...writer });
    return [stampOf(last), ...others.map(stampOf)];
  }

  /**
   * Waits for running calls and frees the memory. Changes that are not saved to the note yet remain in the store's list
   * of updates.
   */
  async close(): Promise<void> {
    await this.#turn.catch(() => undefined);
    this.#text.close();
  }

  /**
   * True after a failed write. The text in memory may then be newer than the stored text, so the note's room must be
   * opened again.
   */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  #inTurn<Result>(body: () => Promise<Result>): Promise<Result> {
    const run = async (): Promise<Result> => {
      if (this.#isBroken) throw new RoomBroken();
      try {
        return await body();
      } catch (error) {
        if (!(error instanceof UpdateRefused) && !(error instanceof NoteRefused)) this.#isBroken = true;
        throw error;
      }
    };
    const result = this.#turn.then(run, run);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
