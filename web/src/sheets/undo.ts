import { Store } from '../ui/store.ts';
import type { Selection } from './session.ts';

export interface UndoState {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

interface Step {
  /** The version the page's write made; the one before it is what undoing goes back to. */
  readonly version: number;
  readonly place: { readonly selection: Selection; readonly tab: string };
}

/** Someone else wrote since: going back would take their changes away as well. */
export class OthersWrote extends Error {
  override readonly name = 'OthersWrote';
}

const mostSteps = 200;

/**
 * What this page wrote, on top of `revert`: undo goes back to the version before a write, redo to the version it made.
 * Both only while nobody else wrote since.
 */
export class UndoStack {
  readonly state = new Store<UndoState>({ canUndo: false, canRedo: false });
  readonly #revert: (version: number) => Promise<{ version: number | undefined }>;
  #past: Step[] = [];
  #future: Step[] = [];
  /** The version this page's last write, undo or redo made. */
  #head = 0;

  constructor(revert: (version: number) => Promise<{ version: number | undefined }>) {
    this.#revert = revert;
  }

  wrote(version: number, selection: Selection, tab: string): void {
    // What lies below someone else's write can no longer be undone alone.
    if (this.#head !== 0 && version !== this.#head + 1) this.#past = [];
    this.#past.push({ version, place: { selection, tab } });
    if (this.#past.length > mostSteps) this.#past.shift();
    this.#future = [];
    this.#head = version;
    this.#tell();
  }

  undo(newest: number): Promise<Step['place'] | undefined> {
    return this.#go(this.#past, this.#future, newest, -1);
  }

  redo(newest: number): Promise<Step['place'] | undefined> {
    return this.#go(this.#future, this.#past, newest, 0);
  }

  async #go(from: Step[], to: Step[], newest: number, offset: number): Promise<Step['place'] | undefined> {
    const step = from.at(-1);
    if (!step) return undefined;
    if (newest > this.#head) {
      this.#past = [];
      this.#future = [];
      this.#tell();
      throw new OthersWrote('others wrote since');
    }
    const { version } = await this.#revert(step.version + offset);
    from.pop();
    to.push(step);
    if (version !== undefined) this.#head = version;
    this.#tell();
    return step.place;
  }

  #tell(): void {
    this.state.set({ canUndo: this.#past.length > 0, canRedo: this.#future.length > 0 });
  }
}
