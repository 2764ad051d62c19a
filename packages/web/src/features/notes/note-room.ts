import { SharedTextCopy, mergeTexts, newWriterClient } from '@sheaf/markdown/shared-text';
import { SheafError, sheaf } from '../../lib/api-client.ts';
import { classifyFailure, requestTimeoutMs } from '../../lib/request-retries.ts';
import { RetryTimer } from '../../lib/retry-timer.ts';
import { listenToRoom } from './room-events.ts';

/** Time in milliseconds for which typed text is collected before it is sent. */
const collectMs = 120;
/** Interval in milliseconds at which this browser tab reports to the server that the note is still open. */
const presenceMs = 15_000;
const busyCode = 210003;
const conflictCode = 210008;

export interface PersonInNote {
  readonly client: number;
  readonly user_id: string;
  readonly name: string;
  readonly cursor: string;
}

/**
 * Author of a received change. `operation` is undefined if a person made the change in the shared editor. Otherwise the
 * change was made by a call of a server operation, for example by an agent.
 */
export interface ChangeAuthor {
  readonly user_id: string;
  readonly name: string;
  readonly key_id: string;
  readonly operation?: string;
}

interface RoomEvent {
  readonly room: string;
  readonly number: number;
  readonly update?: string;
  readonly by?: ChangeAuthor;
  readonly people?: readonly PersonInNote[];
}

export type RoomState = 'saved' | 'saving' | 'offline' | { readonly message: string };

/** Receives the events of a note's room, that is, of the text shared by all users who have the note open. */
export interface RoomListener {
  /** Called when other people have changed the text. */
  onText(text: string, by: ChangeAuthor | undefined): void;
  onPeople(people: readonly PersonInNote[]): void;
  onState(state: RoomState): void;
}

/**
 * The user's text (`mine`) when this browser tab joins the note's room (shared document), and the text `base` from
 * which it was edited.
 */
interface OwnText {
  readonly base: string;
  readonly mine: () => string;
}

/**
 * Synchronizes a note with other people who have it open. Local edits are sent as changes of a shared document, and
 * changes by other people are merged, so that all of them can write at the same time. Unacknowledged changes are sent
 * again; applying a change twice has no effect.
 */
export class NoteRoom {
  readonly #id: string;
  readonly #listener: RoomListener;
  #copy: SharedTextCopy;
  /**
   * The shared text in the last state that the server is known to have stored. The drafts in the browser are based on
   * it.
   */
  #stored: SharedTextCopy;
  #roomId: string;
  #cursor = '';
  #people: readonly PersonInNote[] = [];
  #lastNumber: number | undefined;
  #stopListening: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #presence: ReturnType<typeof setInterval> | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #isClosed = false;
  readonly #retry = new RetryTimer(() => void this.sync());

  private constructor(id: string, listener: RoomListener, client: number, answer: { room_id: string; update: string }) {
    this.#id = id;
    this.#listener = listener;
    const state = fromBase64(answer.update);
    this.#copy = new SharedTextCopy(state, [], client);
    this.#stored = new SharedTextCopy(state);
    this.#roomId = answer.room_id;
  }

  /** Joins the room (shared document) of a note, and merges the changes that the user has made since `base`. */
  static async join(id: string, { base, mine }: OwnText, listener: RoomListener): Promise<NoteRoom> {
    const client = newWriterClient();
    const room = new NoteRoom(id, listener, client, await sheaf.note.sync_note({ note_id: id, client }));
    room.#merge(base, mine());
    room.#listen();
    room.#presence = setInterval(() => void room.sync(), presenceMs);
    void room.sync();
    return room;
  }

  get text(): string {
    return this.#copy.markdown;
  }

  /**
   * Applies an edit that the user made in an editor that displayed `shown`; `text` is the editor's text after the edit.
   * `isRich` is true for the rich text editor. Returns the text that the editor should now display. This text differs
   * from the note's text while changes by other people are not displayed yet.
   */
  change(shown: string, text: string, isRich: boolean): string {
    const before = this.#copy.markdown;
    const now = this.#copy.changeView(shown, text, isRich);
    if (this.#copy.markdown !== before) {
      this.#listener.onState('saving');
      this.#later();
    }
    return now;
  }

  get storedText(): string {
    return this.#stored.markdown;
  }

  get hasPending(): boolean {
    return this.#copy.hasPending;
  }

  /** The other people who have the note open: all clients of the shared document except this browser tab. */
  get others(): readonly PersonInNote[] {
    return this.#people.filter(({ client }) => client !== this.#copy.client);
  }

  /** Sets the caret position that the other people see. */
  setCursor(cursor: string): void {
    if (cursor === this.#cursor) return;
    this.#cursor = cursor;
    this.#later();
  }

  /**
   * Exchanges changes with the server, one request at a time. Resolves when there is nothing left to send, or when a
   * request has failed. After a failure, another attempt is scheduled, unless the server has refused the change.
   */
  async sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = true;
    this.#running ??= this.#syncAll().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async leave(): Promise<void> {
    await this.sync();
    this.#isClosed = true;
    clearInterval(this.#presence);
    clearTimeout(this.#timer);
    this.#retry.cancel();
    this.#stopListening?.();
    await this.#send({ leave: true }).catch((error: unknown) => console.info('leaving the note', error));
  }

  async #syncAll(): Promise<void> {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false;
      const update = this.#copy.take();
      try {
        const answer = await this.#send(update ? { update: toBase64(update) } : {});
        this.#retry.succeed();
        if (update) {
          this.#stored.receive(update);
          this.#copy.acknowledge();
        }
        if (answer.room_id === this.#roomId) this.#receive(fromBase64(answer.update), undefined);
        else this.#start(answer);
        this.#setPeople(answer.people);
      } catch (error) {
        if (!(await this.#recover(error))) return;
      }
      if (this.#copy.hasPending) this.#isDue = true;
    }
    this.#listener.onState(this.#copy.hasPending ? 'saving' : 'saved');
  }

  /**
   * Handles a failed request. Returns true if the caller should retry immediately. Otherwise reports the failure to the
   * listener and, unless the server has refused the change, schedules a later attempt.
   */
  async #recover(error: unknown): Promise<boolean> {
    if (error instanceof SheafError && error.code === conflictCode && (await this.#joinAgain())) return true;
    const isRefused = error instanceof SheafError && classifyFailure(error, [busyCode, conflictCode]) === 'refused';
    if (isRefused) {
      this.#listener.onState({ message: error.message });
      return false;
    }
    this.#listener.onState('offline');
    if (!this.#isClosed) this.#retry.schedule();
    return false;
  }

  /**
   * Joins again after the server has created a new shared document, and merges the local text into it. Returns whether
   * joining succeeded.
   */
  async #joinAgain(): Promise<boolean> {
    try {
      this.#start(await sheaf.note.sync_note({ note_id: this.#id, client: this.#copy.client }));
      return true;
    } catch (error) {
      console.info('joining the note again', error);
      return false;
    }
  }

  /**
   * Replaces the local copy of the shared document by the server's new one in `answer`, and merges the local edits
   * into it.
   */
  #start(answer: { room_id: string; update: string }): void {
    const [base, mine] = [this.#stored.markdown, this.#copy.markdown];
    const state = fromBase64(answer.update);
    this.#copy.close();
    this.#stored.close();
    this.#copy = new SharedTextCopy(state);
    this.#stored = new SharedTextCopy(state);
    this.#roomId = answer.room_id;
    this.#lastNumber = undefined;
    this.#merge(base, mine);
    this.#isDue = true;
  }

  #merge(base: string, mine: string): void {
    const theirs = this.#copy.markdown;
    this.#copy.change(mergeTexts(base, mine, theirs));
    if (this.#copy.markdown !== mine) this.#listener.onText(this.#copy.markdown, undefined);
  }

  #send(more: { update?: string; leave?: boolean }) {
    return sheaf.note.sync_note(
      {
        note_id: this.#id,
        client: this.#copy.client,
        room_id: this.#roomId,
        state_vector: toBase64(this.#copy.stateVector()),
        cursor: this.#cursor,
        ...more,
      },
      { signal: AbortSignal.timeout(requestTimeoutMs) },
    );
  }

  #receive(update: Uint8Array, by: ChangeAuthor | undefined): void {
    const before = this.#copy.markdown;
    this.#stored.receive(update);
    this.#copy.receive(update);
    const after = this.#copy.markdown;
    if (after !== before) this.#listener.onText(after, by);
  }

  #setPeople(people: readonly PersonInNote[]): void {
    this.#people = people;
    this.#listener.onPeople(this.others);
  }

  #listen(): void {
    this.#stopListening = listenToRoom(this.#id, {
      onOpen: () => void this.sync(),
      onEvent: (event) => this.#hear(event as RoomEvent),
    });
  }

  #hear({ room, number, update, by, people }: RoomEvent): void {
    if (people) this.#setPeople(people);
    const isNext = this.#lastNumber === undefined || number === this.#lastNumber + 1;
    this.#lastNumber = number;
    if (room !== this.#roomId || !isNext || (by && update === undefined)) return void this.sync();
    if (update === undefined) return;
    this.#receive(fromBase64(update), by);
    if (this.#copy.isIncomplete) void this.sync();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => void this.sync(), collectMs);
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
