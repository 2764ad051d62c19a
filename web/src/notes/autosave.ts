import { SheafError, messageOf, sheaf } from '../lib/client.ts';
import { Store } from '../ui/store.ts';
import { readDraft, writeDraft } from './drafts.ts';
import { merge } from './merge.ts';

const pauseMs = 700;
const retryMs = 4000;
const conflictCode = 210008;

export type SaveState =
  | { kind: 'saved' | 'typing' | 'saving' | 'empty' | 'offline' }
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

/**
 * Brings what is typed into a note to the server, one save at a time, each made on the version it was typed on. When
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
    return this.#text !== this.#saved;
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
    if (draft.baseVersion === this.#version) {
      this.change(draft.text);
      return;
    }
    const { text, isClean } = merge(draft.base, draft.text, this.#saved);
    if (isClean) {
      this.change(text);
      return;
    }
    this.#text = draft.text;
    this.state.set({ kind: 'conflict', conflict: { mine: draft.text, theirs: this.#saved, both: text } });
  }

  change(text: string): void {
    this.#text = text;
    this.#keepDraft();
    if (this.state.get().kind === 'conflict') return;
    if (!this.isDirty) {
      this.state.set({ kind: 'saved' });
      return;
    }
    this.state.set({ kind: 'typing' });
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
    const text = this.#text;
    if (text.trim() === '') {
      this.state.set({ kind: 'empty' });
      return;
    }
    this.state.set({ kind: 'saving' });
    try {
      const { version } = await sheaf.note.update_note({
        note_id: this.#id,
        content: text,
        content_format: 1,
        base_version: this.#version,
      });
      this.#take({ text, version });
      if (this.isDirty) this.#later(pauseMs);
      else this.state.set({ kind: 'saved' });
    } catch (error) {
      if (error instanceof SheafError && error.code === conflictCode) await this.#meet();
      else if (error instanceof SheafError && error.code !== 0)
        this.state.set({ kind: 'failed', message: messageOf(error) });
      else this.#waitForNetwork();
    }
  }

  async #meet(): Promise<void> {
    let theirs;
    try {
      theirs = await this.#newest();
    } catch (error) {
      this.state.set({ kind: 'failed', message: messageOf(error) });
      return;
    }
    if (this.#isRetired) return;
    const { text, isClean } = merge(this.#saved, this.#text, theirs.text);
    if (!isClean) {
      // Until the person decides, the draft stays one of the text it was typed on.
      this.#undecided = theirs;
      this.state.set({ kind: 'conflict', conflict: { mine: this.#text, theirs: theirs.text, both: text } });
      return;
    }
    this.#text = text;
    this.#take(theirs);
    this.#show(text, 'merged');
    this.state.set({ kind: 'typing' });
    this.#later(0);
  }

  #take({ text, version }: { text: string; version: number }): void {
    this.#saved = text;
    this.#version = version;
    this.#keepDraft();
  }

  #keepDraft(): void {
    if (this.#isRetired) return;
    writeDraft(
      this.#id,
      this.isDirty ? { baseVersion: this.#version, base: this.#saved, text: this.#text } : undefined,
    );
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
    this.state.set({ kind: 'offline' });
    this.#later(retryMs);
  }
}
