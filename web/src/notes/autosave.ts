import { SheafError, callWhole, messageOf, sheaf } from '../lib/client.ts';
import { randomName } from '../lib/random-name.ts';
import { Store } from '../ui/store.ts';
import { readDraft, writeDraft, type Sending } from './drafts.ts';
import { merge } from './merge.ts';

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
  | { kind: 'failed'; message: string }
  | { kind: 'conflict'; conflict: Conflict };

export interface Conflict {
  mine: string;
  theirs: string;
  /** Everything of both. */
  both: string;
}

/** The one that saves a note; opening the note again takes it over from a visit that still tries. */
const saving = new Map<string, Autosave>();

export function isSaving(id: string): boolean {
  return saving.has(id);
}

/**
 * Brings what is typed into a note to the server, one save at a time, each made on the version it was typed on. A save
 * without an answer is sent again as it was, under the same key, before anything newer: it may have been carried out. When
 * somebody else changed the note meanwhile, both changes are put together; where they touch the same lines, the person
 * decides, and until then nothing is thrown away: the text stays here and in a draft of this browser.
 */
export class Autosave {
  readonly state = new Store<SaveState>({ kind: 'saved' });
  readonly #id: string;
  /** Shows a text that did not come from the keyboard. */
  readonly #show: (text: string, why: 'merged' | 'theirs' | 'restored') => void;
  #saved: string;
  #version: number;
  #text: string;
  /** Sent, and not answered yet. */
  #sending: Sending | undefined;
  #isKept = true;
  #undecided: { text: string; version: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  /** Another one goes on from the draft. */
  #isRetired = false;
  #isRestoring = false;

  constructor(
    id: string,
    stored: { text: string; version: number },
    show: (text: string, why: 'merged' | 'theirs' | 'restored') => void,
  ) {
    this.#id = id;
    this.#show = show;
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
    return this.#text !== this.#saved || this.#sending !== undefined;
  }

  /** Goes on with what an earlier visit could not save: `text` is what to show. */
  resume(): void {
    const before = saving.get(this.#id);
    if (before) before.#retire();
    saving.set(this.#id, this);
    const draft = readDraft(this.#id);
    if (draft === undefined || draft.text === this.#saved) {
      writeDraft(this.#id, undefined);
      return;
    }
    // As if the earlier visit went on: whether somebody else wrote meanwhile is told by the server.
    this.#saved = draft.base;
    this.#version = draft.baseVersion;
    this.#sending = draft.sending;
    this.change(draft.text);
  }

  change(text: string): void {
    this.#text = text;
    this.#keepDraft();
    if (this.state.get().kind === 'conflict') return;
    if (!this.isDirty) {
      this.state.set({ kind: 'saved' });
      return;
    }
    // Typing on does not bring the server back.
    if (this.state.get().kind !== 'offline') this.state.set({ kind: 'typing' });
    this.#later(pauseMs);
  }

  /** Saves now what is not saved. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (!this.isDirty || this.#isRetired || this.state.get().kind === 'conflict') return;
    this.#running = this.#save().finally(() => (this.#running = undefined));
    await this.#running;
  }

  /** Somebody else wrote: shown at once when nothing is being typed here. */
  async hear(version: number): Promise<void> {
    if (version <= this.#version || this.isDirty || this.#running) return;
    const theirs = await this.#newest();
    if (this.isDirty || theirs.version <= this.#version) return;
    this.#text = theirs.text;
    this.#take(theirs);
    this.#show(theirs.text, this.#isRestoring ? 'restored' : 'theirs');
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

  /** The person's decision after a conflict. */
  async resolve(text: string): Promise<void> {
    this.#text = text;
    if (this.#undecided) this.#take(this.#undecided);
    this.#undecided = undefined;
    this.state.set({ kind: 'typing' });
    this.#keepDraft();
    this.#show(text, 'merged');
    await this.flush();
    if (!this.isDirty) this.state.set({ kind: 'saved' });
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
      if (this.state.get().kind === 'conflict') return;
      if (this.isDirty) this.#later(pauseMs);
      this.state.set({ kind: this.isDirty ? 'typing' : 'saved' });
    } catch (error) {
      await this.#failed(error, sending);
    }
  }

  async #send({ key, text }: Sending): Promise<number | undefined> {
    const input = { note_id: this.#id, content: text, content_format: 1, base_version: this.#version };
    const options = { idempotencyKey: key, signal: AbortSignal.timeout(answerMs) };
    const { data } = await callWhole('note', 'update_note', input, options);
    return data['version'] as number | undefined;
  }

  async #failed(error: unknown, sending: Sending): Promise<void> {
    if (!(error instanceof SheafError) || error.code === passingCode || error.status === rateLimited) {
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
    this.#sending = undefined;
    if (this.#isRetired) return;
    const isMine = theirs.text === base || theirs.text === refused?.text;
    const { text, isClean } = isMine ? { text: this.#text, isClean: true } : merge(base, this.#text, theirs.text);
    if (!isClean) {
      // Until the person decides, the draft stays one of the text it was typed on.
      this.#undecided = theirs;
      this.state.set({ kind: 'conflict', conflict: { mine: this.#text, theirs: theirs.text, both: text } });
      return;
    }
    const isShown = text === this.#text;
    this.#text = text;
    this.#take(theirs);
    if (!isShown) this.#show(text, 'merged');
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
    const draft = { baseVersion: this.#version, base: this.#saved, text: this.#text, sending: this.#sending };
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
