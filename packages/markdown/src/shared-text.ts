import { Doc, applyUpdate, encodeStateAsUpdate, encodeStateVector, mergeUpdates, type Text } from 'yjs';
import { applyEdits, diffWords, type TextEdit } from './text-diff.ts';

/** Name of the Yjs shared type that holds the Markdown of a note. */
export const sharedTextName = 'markdown';

export function sharedTextOf(doc: Doc): Text {
  return doc.getText(sharedTextName);
}

interface Change {
  readonly origin?: unknown;
  /** Position in the new text where the change ends (the caret after typing), if known. */
  readonly caret?: number | undefined;
}

/**
 * Makes the shared text equal to `markdown` by small edits, in one transaction. Returns whether the shared text
 * differed.
 */
export function setSharedText(doc: Doc, markdown: string, { origin, caret }: Change = {}): boolean {
  const text = sharedTextOf(doc);
  const edits = diffWords(text.toString(), markdown, caret);
  if (edits.length === 0) return false;
  doc.transact(() => {
    // Apply the edits from last to first, because their positions refer to the text before all edits.
    for (const { at, remove, insert } of edits.toReversed()) {
      if (remove > 0) text.delete(at, remove);
      if (insert !== '') text.insert(at, insert);
    }
  }, origin);
  return true;
}

/** Highest Yjs client id that an editor chooses. The server chooses much higher ids for its own operations. */
const maxWriterClient = 2 ** 31;

export function newWriterClient(): number {
  return Math.floor(Math.random() * maxWriterClient) + 1;
}

/**
 * One editor's replica of a shared text. It keeps the editor's changes until the server has acknowledged them, so that
 * they can be resent after a lost connection or a restart. Sending a change twice is harmless.
 */
export class SharedTextCopy {
  readonly #doc: Doc;
  #pending: Uint8Array[];
  #sending = 0;

  constructor(state: Uint8Array, pending: readonly Uint8Array[] = [], client = newWriterClient()) {
    this.#doc = new Doc();
    this.#doc.clientID = client;
    applyUpdate(this.#doc, state);
    for (const update of pending) applyUpdate(this.#doc, update);
    this.#pending = [...pending];
    this.#doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === this) this.#pending.push(update);
    });
  }

  get doc(): Doc {
    return this.#doc;
  }

  /** The Yjs client id of this replica. */
  get client(): number {
    return this.#doc.clientID;
  }

  get markdown(): string {
    return sharedTextOf(this.#doc).toString();
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /**
   * Sets the text to `markdown` as a local change. `caret` is the caret position after the change, if known. Returns
   * whether the text differed.
   */
  change(markdown: string, caret?: number): boolean {
    return setSharedText(this.#doc, markdown, { origin: this, caret });
  }

  /**
   * Applies an edit of the user, who changed `shown` to `text` in a view. `shown` may lack newer changes of other
   * users, which are kept. Returns the new text of the view, without those changes. If `keepsLineEnds` is true, an edit
   * that only removes spaces at the end of a line is ignored: the editor drops such spaces when it serializes a block,
   * but another user may have just typed them.
   */
  changeView(shown: string, text: string, keepsLineEnds: boolean): string {
    const edits = keepsLineEnds ? diffWords(shown, text).filter((edit) => !removesLineEnd(shown, edit)) : undefined;
    const mine = edits ? applyEdits(shown, edits) : text;
    const now = this.markdown;
    this.change(shown === now ? mine : mergeTexts(shown, mine, now));
    return mine;
  }

  /**
   * Returns the unacknowledged changes as one update, or undefined if there are none. Call `acknowledge` after the
   * server has stored the update.
   */
  take(): Uint8Array | undefined {
    this.#sending = this.#pending.length;
    if (this.#sending === 0) return undefined;
    const merged = this.#sending === 1 ? this.#pending[0]! : mergeUpdates(this.#pending);
    // Replace the pending updates by the merged one, so that later calls do not merge them again.
    this.#pending = [merged];
    this.#sending = 1;
    return merged;
  }

  /** Removes the changes that `take` returned last, which the server has now stored. */
  acknowledge(): void {
    this.#pending.splice(0, this.#sending);
    this.#sending = 0;
  }

  /** Applies an update with changes made by other editors. */
  receive(update: Uint8Array): void {
    applyUpdate(this.#doc, update);
  }

  stateVector(): Uint8Array {
    return encodeStateVector(this.#doc);
  }

  /** True if a received update builds on changes that this copy has not received yet. */
  get isIncomplete(): boolean {
    return this.#doc.store.pendingStructs !== null || this.#doc.store.pendingDs !== null;
  }

  /** Returns the state to persist: the whole document and the unacknowledged changes, which the constructor accepts. */
  stored(): { state: Uint8Array; pending: readonly Uint8Array[] } {
    return { state: encodeStateAsUpdate(this.#doc), pending: this.#pending };
  }

  close(): void {
    this.#doc.destroy();
  }
}

/** Returns whether an edit only removes spaces at the end of a line. */
function removesLineEnd(text: string, { at, remove, insert }: TextEdit): boolean {
  const end = at + remove;
  return insert === '' && /^[ \t]+$/.test(text.slice(at, end)) && /^(?:\r?\n|$)/.test(text.slice(end, end + 2));
}

/**
 * Merges two changed versions of a text character by character. Both changes are kept; where both inserted text at the
 * same position, the text of `mine` comes first.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string {
  const copies = [mine, theirs].map((text, index) => {
    const doc = new Doc();
    doc.clientID = 1;
    sharedTextOf(doc).insert(0, base);
    doc.clientID = 2 + index;
    setSharedText(doc, text);
    return doc;
  });
  const [merged, other] = [copies[0]!, copies[1]!];
  applyUpdate(merged, encodeStateAsUpdate(other));
  const text = sharedTextOf(merged).toString();
  for (const doc of copies) doc.destroy();
  return text;
}
