import { SheafError, callRaw, currentSheaf, errorMessage } from '../../lib/api-client.ts';
import {
  classifyFailure,
  isKeyExpired,
  newIdempotencyKey,
  requestTimeoutMs,
  unauthenticatedStatus,
} from '../../lib/request-retries.ts';
import { errorCodes } from '../../lib/error-codes.ts';
import { RetryTimer } from '../../lib/retry-timer.ts';
import { Store } from '../../ui/store.ts';
import { readDraft, writeDraft, type PendingSave, type PendingCreation } from './draft-storage.ts';
import { createNote, recordServerId } from './note-ids.ts';
import type { ChangeAuthor, PersonInNote } from './note-room.ts';
import type { NoteRoomBinding } from './note-room-binding.ts';

const pauseMs = 700;

export type SaveState =
  | { kind: 'saved' | 'typing' | 'saving' | 'empty' }
  /** `isKept`: the unsaved text is stored in this browser and survives a reload. */
  | { kind: 'offline'; isKept: boolean }
  | { kind: 'failed'; message: string };

/**
 * Why the view shows text that the user did not type. `merged`: changes by others were merged in. `both`: two people
 * changed the same lines, and the text contains both variants. `theirs`: someone else saved a newer text. `restored`:
 * the user restored an older version. `together`: others edit the note at the same time.
 */
type ChangeReason = 'merged' | 'both' | 'theirs' | 'restored' | 'together';

/** The editor pane that displays the note being saved. */
interface NoteView {
  /**
   * Displays a text that the user did not type. `isReadable` is false if rendering it would block the page. Returns
   * false if the text cannot be displayed yet, because an input method is composing a word.
   */
  show(text: string, why: ChangeReason, isReadable: boolean, by?: ChangeAuthor): boolean;
  /** Returns whether a text can be rendered without blocking the page. */
  isReadable(text: string): Promise<boolean>;
  /** Called when the server has created a new note and assigned its id. */
  onCreated(id: string): void;
}

const detachedView: NoteView = {
  show: () => true,
  isReadable: () => Promise.resolve(true),
  onCreated: () => undefined,
};

/**
 * The Autosave instance of each note that is open or still has unsaved text, by note id. If a note is opened again, the
 * new instance replaces one that is still trying to save.
 */
const saving = new Map<string, Autosave>();

export function isSaving(id: string): boolean {
  return saving.has(id);
}

/**
 * Saves the text of a note while the user types, one request at a time.
 *
 * A save without a response is resent unchanged with the same idempotency key, because the server may have applied it.
 * If the note was changed elsewhere, the two texts are merged; where both changed the same lines, the result contains
 * both variants. A new note is first created on the server. Until everything is saved, the text is also stored as a
 * draft in this browser.
 */
export class Autosave {
  readonly state = new Store<SaveState>({ kind: 'saved' });
  /** The other people who have the note open. */
  readonly people = new Store<readonly PersonInNote[]>([]);
  readonly #view: NoteView;
  #id: string;
  #unmade: PendingCreation | undefined;
  #saved: string;
  #version: number;
  #text: string;
  /** The save in progress: sent to the server but not acknowledged yet. */
  #sending: PendingSave | undefined;
  #isKept = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #retry = new RetryTimer(() => void this.flush());
  #running: Promise<void> | undefined;
  /** True after another instance has replaced this instance, which then stops saving. */
  #isRetired = false;
  #isRestoring = false;
  /** True once the user has left the note. */
  #isStopped = false;
  /**
   * Set when someone else edits the note at the same time. NoteRoomBinding then sends the text instead of this
   * instance.
   */
  #shared: NoteRoomBinding | undefined;
  #joining: Promise<void> | undefined;

  constructor(
    id: string,
    stored: { text: string; version: number; unmade?: PendingCreation | undefined },
    view = detachedView,
  ) {
    this.#id = id;
    this.#view = view;
    this.#unmade = stored.unmade;
    this.#saved = stored.text;
    this.#version = stored.version;
    this.#text = stored.text;
  }

  get version(): number {
    return this.#version;
  }

  get text(): string {
    return this.#text;
  }

  get isDirty(): boolean {
    if (this.#shared) return this.#shared.hasUnsaved;
    return this.#text !== this.#saved || this.#sending !== undefined || this.#unmade !== undefined;
  }

  /**
   * Makes this instance the one that saves the note, and loads the draft of an earlier visit, if any. Afterwards `text`
   * is the text to display.
   */
  resume(): void {
    const before = saving.get(this.#id);
    if (before) before.#retire();
    saving.set(this.#id, this);
    const draft = readDraft(this.#id);
    // The draft is already saved if the server's text equals it. A server text with a lower version than the draft's
    // base does not count: it comes from the service worker's cache and is outdated.
    const isSaved = draft?.text === this.#saved && draft.baseVersion <= this.#version;
    if (draft === undefined || (isSaved && !draft.unmade)) {
      if (this.#unmade) this.change(this.#text);
      else writeDraft(this.#id, undefined);
      return;
    }
    // Continue with the text and the pending save of the stored draft. If the note has changed since the draft was
    // stored, the server reports a conflict at the next save.
    this.#saved = draft.base;
    this.#version = draft.baseVersion;
    this.#sending = draft.sending;
    this.#unmade = draft.unmade;
    this.change(draft.text);
  }

  /**
   * Stores a new text of the user and schedules a save. `isRich` is true for text of the rich editor, which drops
   * trailing spaces of lines.
   */
  change(text: string, isRich = false): void {
    this.#text = this.#shared ? this.#shared.change(text, isRich) : text;
    this.#keepDraft();
    if (this.#shared) return;
    if (!this.isDirty) {
      this.state.set({ kind: 'saved' });
      return;
    }
    // Typing does not end the offline state; only a successful save ends it.
    if (this.state.get().kind !== 'offline') this.state.set({ kind: 'typing' });
    this.#later(this.#unmade ? 0 : pauseMs);
  }

  /**
   * Sends the position of the caret to the people who edit the note at the same time. Does nothing if nobody else edits
   * it.
   */
  setCursor(cursor: string): void {
    this.#shared?.setCursor(cursor);
  }

  /** Saves unsaved text without waiting for a pause in typing. */
  async flush(): Promise<void> {
    this.#cancelTimers();
    if (this.#joining) await this.#joining;
    if (this.#shared) return this.#shared.flush();
    while (this.#running) await this.#running;
    if (!this.isDirty || this.#isRetired) return;
    this.#running = this.#save().finally(() => (this.#running = undefined));
    await this.#running;
  }

  /**
   * Called when the server reports a newer version of the note. Displays the new text at once, unless the user has
   * unsaved text, which the next save merges with the new text.
   */
  async onRemoteVersion(version: number): Promise<void> {
    if (this.#shared) this.#version = Math.max(version, this.#version);
    if (version <= this.#version || this.isDirty || this.#running) return;
    const theirs = await this.#newest();
    const isReadable = await this.#view.isReadable(theirs.text);
    if (this.isDirty || theirs.version <= this.#version) return;
    this.#text = theirs.text;
    this.#take(theirs);
    this.#view.show(theirs.text, this.#isRestoring ? 'restored' : 'theirs', isReadable);
    if (!this.#isRestoring) this.#join();
  }

  /**
   * Starts simultaneous editing, in which changes are exchanged continuously with the other people who edit the note.
   * Called after a change by someone else has arrived.
   */
  #join(): void {
    if (this.#shared || this.#isRetired || this.#unmade || this.#view === detachedView) return;
    this.#cancelTimers();
    this.#joining ??= this.#joinRoom()
      // If the room (shared document) cannot be joined, for example because its code did not load, save the text with
      // an ordinary request.
      .catch((error: unknown) => {
        console.info('writing together', error);
        if (this.isDirty) this.#later(0);
      })
      .finally(() => (this.#joining = undefined));
  }

  async #joinRoom(): Promise<void> {
    const { NoteRoomBinding } = await import('./note-room-binding.ts');
    const shared = await NoteRoomBinding.join(this.#id, this.#saved, {
      view: this.#view,
      ownText: () => this.#text,
      onText: (text) => {
        this.#text = text;
        this.#keepDraft();
      },
      keepDraft: () => {
        this.#keepDraft();
        return this.#isKept;
      },
      onState: (state) => this.state.set(state),
      onPeople: (people) => this.people.set(people),
    });
    if (this.#isRetired || this.#isStopped) await shared.leave();
    else this.#shared = shared;
  }

  /**
   * Calls `write`, which restores an older version on the server, and displays the restored text. The text arrives like
   * a change by someone else, but is presented as the user's own.
   */
  async restore(write: () => Promise<{ version: number }>): Promise<void> {
    this.#isRestoring = true;
    try {
      await this.onRemoteVersion((await write()).version);
    } finally {
      this.#isRestoring = false;
    }
  }

  stop(): void {
    this.#isStopped = true;
    void this.#shared?.leave();
    void this.flush().then(() => {
      if (!this.isDirty && saving.get(this.#id) === this) saving.delete(this.#id);
    });
    this.#cancelTimers();
  }

  #retire(): void {
    this.#isRetired = true;
    void this.#shared?.leave();
    this.#cancelTimers();
  }

  #cancelTimers(): void {
    clearTimeout(this.#timer);
    this.#retry.cancel();
  }

  async #save(): Promise<void> {
    if (this.#unmade && !(await this.#make(this.#unmade))) return;
    const sending = this.#sending ?? { ...newIdempotencyKey(), text: this.#text };
    if (sending.text.trim() === '') {
      this.state.set({ kind: 'empty' });
      return;
    }
    this.#sending = sending;
    this.#keepDraft();
    if (this.state.get().kind !== 'offline') this.state.set({ kind: 'saving' });
    try {
      const version = await this.#send(sending);
      this.#retry.succeed();
      // `version` is undefined if the server applied an earlier attempt whose response was lost. `#meet` then fetches
      // the current version.
      if (version === undefined) await this.#meet(sending.text);
      else {
        this.#sending = undefined;
        this.#take({ text: sending.text, version });
      }
      if (this.isDirty) this.#later(pauseMs);
      this.state.set({ kind: this.isDirty ? 'typing' : 'saved' });
    } catch (error) {
      await this.#failed(error, sending);
    }
  }

  /**
   * Creates the note on the server. Returns false if that failed, or if another instance has replaced this one in the
   * meantime.
   */
  async #make(unmade: PendingCreation): Promise<boolean> {
    try {
      this.#keepDraft();
      const id = await createNote(this.#saved, unmade.folder, unmade.key, AbortSignal.timeout(requestTimeoutMs));
      if (this.#isRetired) return false;
      const before = this.#id;
      saving.delete(before);
      saving.set(id, this);
      this.#id = id;
      this.#unmade = undefined;
      this.#keepDraft();
      writeDraft(before, undefined);
      recordServerId(before, id);
      this.#view.onCreated(id);
      return true;
    } catch (error) {
      if (!isRefused(error)) {
        if (isKeyExpired(unmade.at)) this.#unmade = { ...unmade, ...newIdempotencyKey() };
        this.#waitForNetwork();
      } else {
        // The server may have refused the note because its notebook was deleted. The next attempt therefore creates the
        // note outside of any notebook.
        this.#unmade = newIdempotencyKey();
        this.#keepDraft();
        this.state.set({ kind: 'failed', message: errorMessage(error) });
      }
      return false;
    }
  }

  async #send({ key, text }: PendingSave): Promise<number | undefined> {
    const input = { note_id: this.#id, content: text, content_format: 1, base_version: this.#version };
    const options = { idempotencyKey: key, signal: AbortSignal.timeout(requestTimeoutMs) };
    const { data } = await callRaw('note', 'update_note', input, options);
    return data['version'] as number | undefined;
  }

  async #failed(error: unknown, sending: PendingSave): Promise<void> {
    if (!isRefused(error)) {
      // The server may soon discard an old idempotency key, so the next attempt is a new save with a new key. Its
      // version check shows whether the old save was applied.
      if (isKeyExpired(sending.at)) this.#sending = undefined;
      this.#waitForNetwork();
      return;
    }
    if (error.code !== errorCodes.note.conflict) {
      // Discard a save that the server refused, unless the session expired: such a save is sent again after the user
      // signs in.
      if (error.status !== unauthenticatedStatus) this.#sending = undefined;
      this.state.set({ kind: 'failed', message: errorMessage(error) });
      return;
    }
    await this.#meet(this.#saved, sending).catch(() => this.#waitForNetwork());
  }

  /**
   * Merges the unsaved text with the server's text; `base` is their common ancestor. Displays the result and schedules
   * a save. `refused` is the save that the server refused because the note has a newer version. If the server's text
   * equals the refused text, an earlier attempt to send it has succeeded, and nothing is merged.
   */
  async #meet(base: string, refused?: PendingSave): Promise<void> {
    // The merge module is imported on demand, because most notes are never changed elsewhere.
    const [theirs, { mergeText }] = await Promise.all([this.#newest(), import('./three-way-merge.ts')]);
    const isMine = theirs.text === base || theirs.text === refused?.text;
    const merged = (): ReturnType<typeof mergeText> =>
      isMine ? { text: this.#text, isClean: true } : mergeText(base, this.#text, theirs.text);
    const isReadable = isMine || (await this.#view.isReadable(merged().text));
    this.#sending = undefined;
    if (this.#isRetired) return;
    // Merge again, because the user may have typed while `isReadable` was checked.
    const { text, isClean } = merged();
    const isShown = text === this.#text;
    this.#text = text;
    this.#take(theirs);
    if (!isShown) this.#view.show(text, isClean ? 'merged' : 'both', isReadable);
    this.state.set({ kind: this.isDirty ? 'typing' : 'saved' });
    if (this.isDirty) this.#later(0);
    if (!isMine) this.#join();
  }

  #take({ text, version }: { text: string; version: number }): void {
    this.#saved = text;
    this.#version = version;
    this.#keepDraft();
  }

  #keepDraft(): void {
    if (this.#isRetired) return;
    const draft = {
      baseVersion: this.#version,
      base: this.#shared?.storedText ?? this.#saved,
      text: this.#text,
      sending: this.#sending,
      unmade: this.#unmade,
    };
    this.#isKept = writeDraft(this.#id, this.isDirty ? draft : undefined);
  }

  async #newest(): Promise<{ text: string; version: number }> {
    const { content, version } = await currentSheaf.note.export_note({ note_id: this.#id, format: 'markdown' });
    return { text: content, version };
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isRetired) return;
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #waitForNetwork(): void {
    this.state.set({ kind: 'offline', isKept: this.#isKept });
    if (!this.#isRetired) this.#retry.schedule();
  }
}

/**
 * Returns whether the server refused the save, so that retrying is useless until the user acts, for example signs in
 * again.
 */
function isRefused(error: unknown): error is SheafError {
  if (!(error instanceof SheafError)) return false;
  return error.status === unauthenticatedStatus || classifyFailure(error, [errorCodes.note.busy]) === 'refused';
}
