import { accessTopic } from '../../../kernel/access-changes.ts';
import { runEvery, runInBackground } from '../../../lib/background-tasks.ts';
import { newId } from '../../../lib/ids.ts';
import {
  LeaseLost,
  type DocumentLease,
  type DocumentLeaseManager,
  type LeaseHolder,
} from '../../../ports/document-leases.ts';
import { NodeUnavailable, type NodeCalls } from '../../../ports/node-calls.ts';
import type { NoteRoomStore } from '../../../ports/note-room-store.ts';
import {
  RoomRefused,
  type NoteRooms,
  type RoomMessage,
  type RoomRefusal,
  type RoomReply,
} from '../../../ports/note-rooms.ts';
import { NoteRefused } from '../../../ports/note-store.ts';
import { includesRole } from '../../../ports/permission-store.ts';
import type { Services } from '../../../context.ts';
import { notesTopic } from '../events.ts';
import { maxNoteBytes } from '../schema.ts';
import { buildPreview } from '../parse-markdown.ts';
import { UpdateRefused } from './check-update.ts';
import { NoteRoom, RoomBroken, type RoomHost } from './note-room.ts';
import { LiveRoom, type RoomServices } from './live-room.ts';

const tickMs = 500;
const renewMs = 3000;
const maxOpenRooms = 2000;
const maxAttempts = 3;
const callKind = 'note-room';

type HandedOver = { sync: RoomMessage } | { flush: string };
type Answer = { reply: RoomReply } | { refused: RoomRefusal } | { done: true };

interface HostServices extends RoomServices, Pick<Services, 'config' | 'markdown' | 'permissions'> {
  readonly store: NoteRoomStore;
  readonly leases: DocumentLeaseManager;
  readonly nodeCalls: NodeCalls;
  /** Number of nodes that share the database. */
  readonly nodes: () => number;
}

export const roomResource = (noteId: string): string => `note:${noteId}`;

/**
 * Holds the note rooms (texts that several people edit together) that are open on this server node. Forwards messages
 * for other rooms to the nodes that hold those rooms.
 */
export class HostedNoteRooms implements NoteRooms {
  readonly #services: HostServices;
  readonly #host: RoomHost;
  readonly #rooms = new Map<string, LiveRoom>();
  readonly #opening = new Map<string, Promise<LiveRoom | LeaseHolder>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribes: (() => void)[];
  #isClosed = false;

  constructor(services: HostServices) {
    this.#services = services;
    const { store, config, markdown, notes, clock } = services;
    this.#host = {
      store,
      limits: { noteBytes: maxNoteBytes, quotaBytes: config.SHEAF_QUOTA_BYTES, notebooks: 0 },
      notes: {
        async version(id) {
          const note = await notes.note(id);
          if (!note) return undefined;
          if (note.deletedAt !== null) throw new NoteRefused({ reason: 'deleted', id });
          return { version: note.version, markdown: (await notes.markdown(id, note.version)) ?? '' };
        },
      },
      now: () => clock.now(),
      newRoomId: () => newId('room'),
      async preview(text, userId) {
        const head = await markdown.parseHead(text, userId);
        return (title) => buildPreview(head, title);
      },
    };
    this.#timers = [
      runEvery('saving open notes', tickMs, () => this.#tick()).unref(),
      runEvery('renewing the leases of open notes', renewMs, () => this.#renew()).unref(),
    ];
    this.#unsubscribes = [
      services.events.subscribe(accessTopic, () =>
        runInBackground('looking who may stay in open notes', () => this.#checkAccess()),
      ),
      services.events.onGap(() => runInBackground('reading open notes again', () => this.#absorbAll())),
    ];
    services.nodeCalls.handle(callKind, (body) => this.#serve(body as HandedOver));
  }

  get openCount(): number {
    return this.#rooms.size;
  }

  async sync(message: RoomMessage): Promise<RoomReply> {
    const place = await this.#place(message.noteId, message.authorId);
    if (place instanceof LiveRoom) return this.#syncHere(message);
    const answer = await this.#handOver(place, { sync: message });
    if ('refused' in answer) throw new RoomRefused(answer.refused);
    if ('reply' in answer) return answer.reply;
    throw new RoomRefused(busy);
  }

  async flush(noteId: string): Promise<void> {
    if (this.#rooms.has(noteId)) return this.#flushHere(noteId);
    if (this.#services.nodes() < 2) return;
    const holder = await this.#services.leases.holder(roomResource(noteId));
    if (!holder) return;
    // Ignore the error if the node that holds the note's room cannot be reached. Changes that it has not saved yet are
    // merged into the note later.
    await this.#handOver(holder, { flush: noteId }).catch(() => undefined);
  }

  async #flushHere(noteId: string): Promise<void> {
    const open = this.#rooms.get(noteId);
    if (!open) return;
    try {
      await open.save();
    } catch (error) {
      if (!(error instanceof NoteRefused)) await this.#drop(open);
    }
  }

  async #syncHere(message: RoomMessage): Promise<RoomReply> {
    for (let attempt = 1; ; attempt++) {
      const open = await this.#place(message.noteId, message.authorId);
      if (!(open instanceof LiveRoom)) throw new RoomRefused(busy);
      try {
        return await open.sync(message);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal) throw new RoomRefused(refusal);
        await this.#drop(open);
        if (!(error instanceof RoomBroken || error instanceof LeaseLost) || attempt === maxAttempts) throw error;
      }
    }
  }

  /**
   * Returns the open room (shared document) of a note, or the server node that holds the room. Opens the room on this
   * node if no node holds it.
   */
  async #place(noteId: string, authorId: string): Promise<LiveRoom | LeaseHolder> {
    const open = this.#rooms.get(noteId);
    if (open && !open.room.isBroken) return open;
    let opening = this.#opening.get(noteId);
    if (!opening) {
      opening = this.#open(noteId, authorId).finally(() => this.#opening.delete(noteId));
      this.#opening.set(noteId, opening);
    }
    return opening;
  }

  async #open(noteId: string, authorId: string): Promise<LiveRoom | LeaseHolder> {
    const broken = this.#rooms.get(noteId);
    if (broken) await this.#drop(broken);
    if (this.#isClosed || this.#rooms.size >= maxOpenRooms) throw new RoomRefused(busy);
    const lease = await this.#services.leases.acquire(roomResource(noteId));
    if ('address' in lease) return lease;
    try {
      await this.#services.events.ready([notesTopic(authorId)]);
      const room = await NoteRoom.open(this.#host, lease, { id: noteId, userId: authorId });
      const open = new LiveRoom(room, lease, this.#services);
      this.#rooms.set(noteId, open);
      return open;
    } catch (error) {
      await this.#services.leases.release(lease);
      const refusal = refusalOf(error);
      throw refusal ? new RoomRefused(refusal) : error;
    }
  }

  /**
   * Removes a note's room (its shared editing session) from memory. No change is lost, because every change is in the
   * store and is read when the room is opened again. Releases `lease`, if given, so that other nodes can open the room
   * at once.
   */
  async #drop(open: LiveRoom, lease?: DocumentLease): Promise<void> {
    if (this.#rooms.get(open.room.noteId) === open) this.#rooms.delete(open.room.noteId);
    await open.close();
    if (lease) await this.#services.leases.release(lease);
  }

  async #tick(): Promise<void> {
    await Promise.all(Array.from(this.#rooms.values(), (open) => this.#tickRoom(open)));
  }

  async #tickRoom(open: LiveRoom): Promise<void> {
    try {
      await open.tick();
    } catch (error) {
      this.#services.log.warn({ err: error, note: open.room.noteId }, 'an open note was not saved');
      // After a fault, remove the note's room (its shared editing session) from memory. The next message opens it
      // again. Keep the room open if the store only refused to save its text, for example because of the quota.
      if (!(error instanceof NoteRefused)) return this.#drop(open);
    }
    if (open.isUnused()) await this.#drop(open, open.lease);
  }

  async #renew(): Promise<void> {
    if (this.#rooms.size === 0) return;
    const held = await this.#services.leases.renew();
    for (const open of this.#rooms.values()) if (!held.has(open.lease.resource)) await this.#drop(open);
  }

  async #absorbAll(): Promise<void> {
    for (const open of this.#rooms.values()) await open.absorb({});
  }

  async #checkAccess(): Promise<void> {
    for (const open of this.#rooms.values()) {
      const { noteId, authorId } = open.room;
      await open.removePeople(async (userId) => {
        if (userId === authorId) return false;
        return !includesRole(await this.#services.permissions.role('note', noteId, userId), 'write');
      });
    }
  }

  async #handOver(to: LeaseHolder, body: HandedOver): Promise<Answer> {
    try {
      return (await this.#services.nodeCalls.call(to.address, callKind, body)) as Answer;
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error;
      throw new RoomRefused(busy);
    }
  }

  /** Answers a call that another node forwarded to this node. The call is never forwarded a second time. */
  async #serve(body: HandedOver): Promise<Answer> {
    if ('flush' in body) {
      await this.#flushHere(body.flush);
      return { done: true };
    }
    try {
      return { reply: await this.#syncHere(body.sync) };
    } catch (error) {
      if (error instanceof RoomRefused) return { refused: error.why };
      throw error;
    }
  }

  /**
   * Saves and closes all note rooms (shared editing sessions) of this node when the server stops. Other nodes can then
   * open them without waiting for this node's leases to expire.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    for (const open of this.#rooms.values()) {
      await open
        .save()
        .catch((error: unknown) => this.#services.log.warn({ err: error }, 'an open note was not saved'));
      await this.#drop(open, open.lease);
    }
  }
}

const busy: RoomRefusal = { reason: 'busy', message: 'the open note is moving to another node; try again' };

/**
 * Returns the reason why a writer's message was refused. Returns undefined if the error is a fault of the server.
 */
function refusalOf(error: unknown): RoomRefusal | undefined {
  if (error instanceof RoomRefused) return error.why;
  if (error instanceof NoteRefused) return { reason: 'note', why: error.why };
  if (error instanceof UpdateRefused)
    return { reason: error.isMissing ? 'outdated' : 'update', message: error.message };
  return undefined;
}
