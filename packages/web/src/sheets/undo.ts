import { SheafError, Unreachable } from '../lib/client.ts';
import { Store } from '../ui/store.ts';
import type { Selection } from './session.ts';

export interface UndoState {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

interface Place {
  readonly selection: Selection;
  readonly tab: string;
}

interface Step {
  /** The version that did it: by the page's write, or by redoing it. */
  readonly version: number;
  readonly place: Place;
}

interface Undone {
  readonly step: Step;
  /** The version that took it back. */
  readonly by: number;
}

/** Someone else changed the same cells since. */
export class OthersWrote extends Error {
  override readonly name = 'OthersWrote';
}

const maxSteps = 200;
const conflict = 310_008;

interface UndoTools {
  /** Back to the state of a version. */
  revert(version: number): Promise<{ version: number | undefined }>;
  /** One revision alone; what others did since stays. */
  undoRevision(version: number): Promise<{ version: number | undefined }>;
  /** The newest version that someone else made. */
  newestOfOthers(): number;
}

/**
 * What this page wrote. While nobody else wrote, undoing goes back to the state before; afterwards it takes back the one
 * revision alone, which the server refuses where others changed the same cells.
 */
export class UndoStack {
  readonly state = new Store<UndoState>({ canUndo: false, canRedo: false });
  readonly #tools: UndoTools;
  #past: Step[] = [];
  #future: Undone[] = [];

  constructor(tools: UndoTools) {
    this.#tools = tools;
  }

  wrote(version: number, selection: Selection, tab: string): void {
    this.#past.push({ version, place: { selection, tab } });
    if (this.#past.length > maxSteps) this.#past.shift();
    this.#future = [];
    this.#tell();
  }

  /** What was written is gone, and its versions may be those of others. */
  clear(): void {
    this.#past = [];
    this.#future = [];
    this.#tell();
  }

  async undo(): Promise<Place | undefined> {
    const step = this.#past.pop();
    if (!step) return undefined;
    const alone = this.#tools.newestOfOthers() > step.version;
    const work = () => (alone ? this.#tools.undoRevision(step.version) : this.#tools.revert(step.version - 1));
    const { version } = await this.#try(work, () => this.#past.push(step));
    if (version !== undefined) this.#future.push({ step, by: version });
    this.#tell();
    return step.place;
  }

  async redo(): Promise<Place | undefined> {
    const undone = this.#future.pop();
    if (!undone) return undefined;
    const alone = this.#tools.newestOfOthers() > undone.step.version;
    const work = () => (alone ? this.#tools.undoRevision(undone.by) : this.#tools.revert(undone.step.version));
    const { version } = await this.#try(work, () => this.#future.push(undone));
    if (version !== undefined) this.#past.push({ ...undone.step, version });
    this.#tell();
    return undone.step.place;
  }

  /** What cannot be undone is out of the way: the next undo is for the one before. When nobody answered it is put back. */
  async #try(
    work: () => Promise<{ version: number | undefined }>,
    putBack: () => void,
  ): Promise<{ version: number | undefined }> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unreachable) putBack();
      this.#tell();
      if (error instanceof SheafError && error.code === conflict)
        throw new OthersWrote('others changed the same cells');
      throw error;
    }
  }

  #tell(): void {
    this.state.set({ canUndo: this.#past.length > 0, canRedo: this.#future.length > 0 });
  }
}
