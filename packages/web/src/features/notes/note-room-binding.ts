import { diffTexts } from '@sheaf/markdown/text-diff';
import type { SaveState } from './autosave.ts';
import { NoteRoom, type ChangeAuthor, type PersonInNote, type RoomState } from './note-room.ts';

/**
 * Time in milliseconds before the next attempt to display a text that the view could not display, for example because
 * the user was composing a word with an input method.
 */
const showAgainMs = 200;
const settledMs = 700;
/**
 * Maximum number of characters that may be added to a text after it was checked to render fast enough. The new text is
 * then displayed without another check. A check takes time, so a long text that somebody edits continuously would
 * otherwise never be displayed.
 */
const maxUnchecked = 1000;

interface SharedView {
  show(text: string, why: 'together', isReadable: boolean, by?: ChangeAuthor): boolean;
  isReadable(text: string): Promise<boolean>;
}

interface NoteRoomListener {
  readonly view: SharedView;
  /** Returns the user's current text. The user has edited it from the text `base` with which the room was joined. */
  ownText(): string;
  /** Called when other people have changed the text of the note. */
  onText(text: string): void;
  /**
   * Stores the unsaved text in this browser, or deletes it if everything is saved. Returns whether the browser could
   * store it.
   */
  keepDraft(): boolean;
  onState(state: SaveState): void;
  onPeople(people: readonly PersonInNote[]): void;
}

/**
 * Connects an open note with its room (shared document) while other people edit the note, too. Loaded on demand, so
 * that a note opened by one person needs neither this code nor its requests.
 */
export class NoteRoomBinding {
  readonly #listener: NoteRoomListener;
  #room: NoteRoom | undefined;
  /**
   * The text that the editor displays. It may be older than the text of the shared document, because the editor does
   * not replace its text while the user composes a word with an input method.
   */
  #shown = '';
  #isShowing = false;
  #isLeft = false;
  #settling: ReturnType<typeof setTimeout> | undefined;

  private constructor(listener: NoteRoomListener) {
    this.#listener = listener;
  }

  /**
   * Joins the room (shared document) of the note and merges the user's text into it. `base` is the text on which the
   * user's edits are based.
   */
  static async join(id: string, base: string, listener: NoteRoomListener): Promise<NoteRoomBinding> {
    const shared = new NoteRoomBinding(listener);
    await shared.#join(id, base);
    return shared;
  }

  get hasUnsaved(): boolean {
    return this.#room?.hasPending === true;
  }

  /** The text that the server has stored. */
  get storedText(): string {
    return this.#room!.storedText;
  }

  async #join(id: string, base: string): Promise<void> {
    const mine = (): string => {
      this.#shown = this.#listener.ownText();
      return this.#shown;
    };
    this.#room = await NoteRoom.join(
      id,
      { base, mine },
      {
        onText: (text, by) => {
          this.#listener.onText(text);
          void this.#show(by);
        },
        onPeople: (people) => this.#listener.onPeople(people),
        onState: (state) => this.#setState(toSaveState(state, this.#listener.keepDraft())),
      },
    );
    void this.#show(undefined);
  }

  /**
   * Reports a new save state to the listener. `saved` is reported only after a pause: text is sent often while somebody
   * types, and the displayed state would otherwise keep alternating between `saving` and `saved`.
   */
  #setState(state: SaveState): void {
    clearTimeout(this.#settling);
    if (state.kind === 'saved') this.#settling = setTimeout(() => this.#listener.onState(state), settledMs);
    else this.#listener.onState(state);
  }

  /**
   * Adds a change that the user made in the view to the shared document. `text` is the view's new text, and `isRich` is
   * true if the view is the rich text editor. Returns the text of the note, which may also contain newer changes by
   * other people.
   */
  change(text: string, isRich: boolean): string {
    this.#shown = this.#room!.change(this.#shown, text, isRich);
    return this.#room!.text;
  }

  setCursor(cursor: string): void {
    this.#room?.setCursor(cursor);
  }

  async flush(): Promise<void> {
    await this.#room?.sync();
  }

  async leave(): Promise<void> {
    this.#isLeft = true;
    await this.#room?.leave();
  }

  /** Displays the text of the note's room, in which several people write. Retries until the editor can display it. */
  async #show(by: ChangeAuthor | undefined): Promise<void> {
    if (this.#isShowing || !this.#room) return;
    this.#isShowing = true;
    try {
      while (!this.#isLeft && this.#room.text !== this.#shown) {
        const checked = this.#room.text;
        const isReadable = await this.#isReadable(checked);
        const text = this.#room.text;
        if (isReadable !== undefined && lettersAdded(checked, text) > maxUnchecked) continue;
        if (isReadable !== undefined && this.#listener.view.show(text, 'together', isReadable, by)) {
          this.#shown = text;
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, showAgainMs));
      }
    } finally {
      this.#isShowing = false;
    }
  }

  /** Returns whether the text can be rendered; undefined if the code of this check could not be loaded. */
  async #isReadable(text: string): Promise<boolean | undefined> {
    try {
      return await this.#listener.view.isReadable(text);
    } catch (error) {
      console.info('checking the note', error);
      return undefined;
    }
  }
}

function lettersAdded(before: string, after: string): number {
  return diffTexts(before, after).reduce((sum, { insert }) => sum + insert.length, 0);
}

function toSaveState(state: RoomState, isKept: boolean): SaveState {
  if (state === 'offline') return { kind: 'offline', isKept };
  return typeof state === 'string' ? { kind: state } : { kind: 'failed', message: state.message };
}
