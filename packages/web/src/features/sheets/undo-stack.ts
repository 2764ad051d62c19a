import { SheafError, UnreachableError } from '../../lib/api-client.ts';
import { errorCodes } from '../../lib/error-codes.ts';
import { Store } from '../../ui/store.ts';
import type { Selection } from './sheet-session.ts';

export interface UndoState {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

interface UndoPosition {
  readonly selection: Selection;
  readonly tab: string;
}

interface Step {
  /** Document version created by the write or its latest redo. */
  readonly version: number;
  readonly place: UndoPosition;
}

interface Undone {
  readonly step: Step;
  /** Document version created by the undo. */
  readonly by: number;
}

/** Thrown if a change cannot be undone or redone, because later changes, usually of another client, prevent it. */
export class UndoConflict extends Error {
  override readonly name = 'OthersWrote';
}

const maxSteps = 200;

interface UndoOperations {
  /** Restores the whole document to an earlier version. */
  revert(version: number): Promise<{ version: number | undefined }>;
  /** Undoes a single revision (change of the document) and preserves later changes by others. */
  undoRevision(version: number): Promise<{ version: number | undefined }>;
  /** Returns the latest version created by another client. */
  newestOfOthers(): number;
}

/**
 * Undo stack of the writes of this browser tab. If nobody else has written since, undo restores the previous version.
 * Otherwise it undoes only the write itself, which the server refuses if other clients changed the same cells.
 */
export class UndoStack {
  readonly state = new Store<UndoState>({ canUndo: false, canRedo: false });
  readonly #tools: UndoOperations;
  #past: Step[] = [];
  #future: Undone[] = [];

  constructor(tools: UndoOperations) {
    this.#tools = tools;
  }

  push(version: number, selection: Selection, tab: string): void {
    this.#past.push({ version, place: { selection, tab } });
    if (this.#past.length > maxSteps) this.#past.shift();
    this.#future = [];
    this.#tell();
  }

  /**
   * Clears the undo and redo stacks after the document was reset by restoring a backup. The recorded version numbers
   * may not exist anymore or may belong to other changes.
   */
  clear(): void {
    this.#past = [];
    this.#future = [];
    this.#tell();
  }

  async undo(): Promise<UndoPosition | undefined> {
    const step = this.#past.pop();
    if (!step) return undefined;
    const alone = this.#tools.newestOfOthers() > step.version;
    const work = () => (alone ? this.#tools.undoRevision(step.version) : this.#tools.revert(step.version - 1));
    const { version } = await this.#try(work, () => this.#past.push(step));
    if (version !== undefined) this.#future.push({ step, by: version });
    this.#tell();
    return step.place;
  }

  /** Undoes the write that created this document version, even if this browser tab has made other writes since. */
  async undoWrite(version: number): Promise<UndoPosition | undefined> {
    const step = this.#past.find((one) => one.version === version);
    if (!step || step === this.#past.at(-1)) return step && this.undo();
    const work = () => this.#tools.undoRevision(version);
    const undone = await this.#try(work, () => undefined);
    if (undone.version !== undefined) this.push(undone.version, step.place.selection, step.place.tab);
    return step.place;
  }

  async redo(): Promise<UndoPosition | undefined> {
    const undone = this.#future.pop();
    if (!undone) return undefined;
    const alone = this.#tools.newestOfOthers() > undone.step.version;
    const work = () => (alone ? this.#tools.undoRevision(undone.by) : this.#tools.revert(undone.step.version));
    const { version } = await this.#try(work, () => this.#future.push(undone));
    if (version !== undefined) this.#past.push({ ...undone.step, version });
    this.#tell();
    return undone.step.place;
  }

  /**
   * Runs an undo or redo whose step the caller has already removed from its stack. If the server is unreachable,
   * `putBack` returns the step to the stack. After any other error the step is dropped, so that the next undo applies
   * to an earlier step.
   */
  async #try(
    work: () => Promise<{ version: number | undefined }>,
    putBack: () => void,
  ): Promise<{ version: number | undefined }> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnreachableError) putBack();
      this.#tell();
      if (error instanceof SheafError && error.code === errorCodes.sheet.conflict)
        throw new UndoConflict('others changed the same cells');
      throw error;
    }
  }

  #tell(): void {
    this.state.set({ canUndo: this.#past.length > 0, canRedo: this.#future.length > 0 });
  }
}
