import { SheafError, callWhole, messageOf, sheaf } from '../lib/client.ts';
import { randomName } from '../lib/random-name.ts';
import { Store } from '../ui/store.ts';
import { readDraft, writeDraft, type Sending, type Unmade } from './drafts.ts';
import { merge } from './merge.ts';
import { createNote, noteMade } from './made-notes.ts';

const pauseMs = 700;
const retryMs = 4000;
/** Longer than the server works on any note: whoever has not answered by then is away. */
const answerMs = 60_000;
/** The server knows a key for a day; past this it could carry out a second time what it has carried out. */
const maxAgeMs = 20 * 60 * 60 * 1000;
const conflictCode = 210008;
/** Busy, or a fault of the server: another try may go through. */
const passingCode = 210003;
const unauthenticated = 401;
const rateLimited = 429;

export type SaveState =
  | { kind: 'saved' | 'typing' | 'saving' | 'empty' }
  /** `isKept`: it survives a reload. */
  | { kind: 'offline'; isKept: boolean }
  | { kind: 'failed'; message: string };

/** Why a text is shown that did not come from the keyboard. `both`: the same lines were changed here and elsewhere. */
type Why = 'merged' | 'both' | 'theirs' | 'restored';

/** Where the note is shown while it is saved. */
interface View {
  show(text: string, why: Why, isReadable: boolean): void;
  /** Whether a text can be shown without keeping the page busy. The view stays as it is until that is known. */
  isReadable(text: string): Promise<boolean>;
  /** A new note has got its id. */
  made(id: string): void;
}

const nowhere: View = { show: () => undefined, isReadable: () => Promise.resolve(true), made: () => undefined };

/** The one that saves a note; opening the note again takes it over from a visit that still tries. */
const saving = new Map<string, Autosave>();

export function isSaving(id: string): boolean {
  return saving.has(id);
}

/**
 * Brings what is typed into a note to the server, one save at a time, each made on the version it was typed on. A save
 * without an answer is sent again as it was, under the same key, before anything newer: it may have been carried out. When
 * somebody else changed the note meanwhile, both changes are put together; lines that both changed are kept of both. A new
 * note is made on the server first, once. Until all is saved the text stays here and in a draft of this browser.
 */
export class Autosave {
  readonly state = new Store<SaveState>({ kind: 'saved' });
  readonly #view: View;
  #id: string;
  #unmade: Unmade | undefined;
  #saved: string;
  #version: number;
  #text: string;
  /** Sent, and not answered yet. */
  #sending: Sending | undefined;
  #isKept = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  /** Another one goes on from the draft. */
  #isRetired = false;
  #isRestoring = false;

  constructor(id: string, stored: { text: string; version: number; unmade?: Unmade | undefined }, view = nowhere) {
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
    return this.#text !== this.#saved || this.#sending !== undefined || this.#unmade !== undefined;
  }

  /** Goes on with what an earlier visit could not save: `text` is what to show. */
  resume(): void {
    const before = saving.get(this.#id);
    if (before) before.#retire();
    saving.set(this.#id, this);
    const draft = readDraft(this.#id);
    if (draft === undefined || (draft.text === this.#saved && !draft.unmade)) {
      if (this.#unmade) this.change(this.#text);
      else writeDraft(this.#id, undefined);
      return;
    }
    // As if the earlier visit went on: whether somebody else wrote meanwhile is told by the server.
    this.#saved = draft.base;
    this.#version = draft.baseVersion;
    this.#sending = draft.sending;
    this.#unmade = draft.unmade;
    this.change(draft.text);
  }

  change(text: string): void {
    this.#text = text;
    this.#keepDraft();
    if (!this.isDirty) {
      this.state.set({ kind: 'saved' });
      return;
    }
    // Typing on does not bring the server back.
    if (this.state.get().kind !== 'offline') this.state.set({ kind: 'typing' });
    this.#later(this.#unmade ? 0 : pauseMs);
  }

  /** Saves now what is not saved. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (!this.isDirty || this.#isRetired) return;
    this.#running = this.#save().finally(() => (this.#running = undefined));
    await this.#running;
  }

  /** Somebody else wrote: shown at once when nothing is being typed here. */
  async hear(version: number): Promise<void> {
    if (version <= this.#version || this.isDirty || this.#running) return;
    const theirs = await this.#newest();
    const isReadable = await this.#view.isReadable(theirs.text);
    if (this.isDirty || theirs.version <= this.#version) return;
    this.#text = theirs.text;
    this.#take(theirs);
    this.#view.show(theirs.text, this.#isRestoring ? 'restored' : 'theirs', isReadable);
  }

  /** An older version is written by the person, not by somebody else, though it is heard of in the same way. */
  async restore(write: () => Promise<{ version: number }>): Promise<void> {
    this.#isRestoring = true;
    try {
      await this.hear((await write()).version);
    } finally {
      this.#isRestoring = false;
    }
  }

  stop(): void {
    void this.flush().then(() => {
      if (!this.isDirty && saving.get(this.#id) === this) saving.delete(this.#id);
    });
    clearTimeout(this.#timer);
  }

  #retire(): void {
    this.#isRetired = true;
    clearTimeout(this.#timer);
  }

  async #save(): Promise<void> {
    if (this.#unmade && !(await this.#make(this.#unmade))) return;
    const sending = this.#sending ?? { key: randomName(), text: this.#text, at: Date.now() };
    if (sending.text.trim() === '') {
      this.state.set({ kind: 'empty' });
      return;
    }
    this.#sending = sending;
    this.#keepDraft();
    if (this.state.get().kind !== 'offline') this.state.set({ kind: 'saving' });
    try {
      const version = await this.#send(sending);
      // Carried out by a try whose answer was lost: which version it made is not known.
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

  /** Whether the note is made now. */
  async #make(unmade: Unmade): Promise<boolean> {
    try {
      this.#keepDraft();
      const id = await createNote(this.#saved, unmade.folder, unmade.key, AbortSignal.timeout(answerMs));
      if (this.#isRetired) return false;
      const before = this.#id;
      saving.delete(before);
      saving.set(id, this);
      this.#id = id;
      this.#unmade = undefined;
      this.#keepDraft();
      writeDraft(before, undefined);
      noteMade(before, id);
      this.#view.made(id);
      return true;
    } catch (error) {
      if (!isRefused(error)) {
        if (Date.now() - unmade.at > maxAgeMs) this.#unmade = { ...unmade, key: randomName(), at: Date.now() };
        this.#waitForNetwork();
      } else {
        // Its notebook may be gone: the next try makes it without one.
        this.#unmade = { key: randomName(), at: Date.now() };
        this.#keepDraft();
        this.state.set({ kind: 'failed', message: messageOf(error) });
      }
      return false;
    }
  }

  async #send({ key, text }: Sending): Promise<number | undefined> {
    const input = { note_id: this.#id, content: text, content_format: 1, base_version: this.#version };
    const options = { idempotencyKey: key, signal: AbortSignal.timeout(answerMs) };
    const { data } = await callWhole('note', 'update_note', input, options);
    return data['version'] as number | undefined;
  }

  async #failed(error: unknown, sending: Sending): Promise<void> {
    if (!isRefused(error)) {
      // Not for ever under the same key; then what stands there tells whether it was carried out.
      if (Date.now() - sending.at > maxAgeMs) this.#sending = undefined;
      this.#waitForNetwork();
      return;
    }
    if (error.code !== conflictCode) {
      // Whoever signs in again goes on with it.
      if (error.status !== unauthenticated) this.#sending = undefined;
      this.state.set({ kind: 'failed', message: messageOf(error) });
      return;
    }
    await this.#meet(this.#saved, sending).catch(() => this.#waitForNetwork());
  }

  /** Puts what is typed together with what stands on the server; both began with `base`. */
  async #meet(base: string, refused?: Sending): Promise<void> {
    const theirs = await this.#newest();
    const isMine = theirs.text === base || theirs.text === refused?.text;
    const merged = (): ReturnType<typeof merge> =>
      isMine ? { text: this.#text, isClean: true } : merge(base, this.#text, theirs.text);
    const isReadable = isMine || (await this.#view.isReadable(merged().text));
    this.#sending = undefined;
    if (this.#isRetired) return;
    // With what was typed until now.
    const { text, isClean } = merged();
    const isShown = text === this.#text;
    this.#text = text;
    this.#take(theirs);
    if (!isShown) this.#view.show(text, isClean ? 'merged' : 'both', isReadable);
    this.state.set({ kind: this.isDirty ? 'typing' : 'saved' });
    if (this.isDirty) this.#later(0);
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
      base: this.#saved,
      text: this.#text,
      sending: this.#sending,
      unmade: this.#unmade,
    };
    this.#isKept = writeDraft(this.#id, this.isDirty ? draft : undefined);
  }

  async #newest(): Promise<{ text: string; version: number }> {
    const { content, version } = await sheaf.note.export_note({ note_id: this.#id, format: 'markdown' });
    return { text: content, version };
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isRetired) return;
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #waitForNetwork(): void {
    this.state.set({ kind: 'offline', isKept: this.#isKept });
    this.#later(retryMs);
  }
}

/** The server has decided. Otherwise it is away or busy, and another try may go through. */
function isRefused(error: unknown): error is SheafError {
  return error instanceof SheafError && error.code !== passingCode && error.status !== rateLimited;
}
