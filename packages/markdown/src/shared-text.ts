import { Doc, applyUpdate, encodeStateAsUpdate, encodeStateVector, mergeUpdates, type Text } from 'yjs';
import { applyEdits, diffWords, type TextEdit } from './text-diff.ts';

/** Name of the shared type that holds the Markdown of a note in its Yjs document. */
export const sharedTextName = 'markdown';

export function sharedTextOf(doc: Doc): Text {
  return doc.getText(sharedTextName);
}

interface Change {
  readonly origin?: unknown;
  /** Position in the new text at which a single change ends, if it is known. */
  readonly caret?: number | undefined;
}

/** Makes the shared text equal to `markdown` by small edits, in one transaction. Returns whether it differed. */
export function setSharedText(doc: Doc, markdown: string, { origin, caret }: Change = {}): boolean {
  const text = sharedTextOf(doc);
  const edits = diffWords(text.toString(), markdown, caret);
  if (edits.length === 0) return false;
  doc.transact(() => {
    // From the last edit to the first, because the positions are those of the text before.
    for (const { at, remove, insert } of edits.toReversed()) {
      if (remove > 0) text.delete(at, remove);
      if (insert !== '') text.insert(at, insert);
    }
  }, origin);
  return true;
}

/** Highest Yjs client id of a writer. The server keeps those above for operations. */
const maxWriterClient = 2 ** 31;

export function newWriterClient(): number {
  return Math.floor(Math.random() * maxWriterClient) + 1;
}

/**
 * One writer's copy of a shared text. Holds the writer's changes until the server has acknowledged them, so that they
 * can be sent again after a lost connection or a restart; sending them twice does no harm.
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

  /** The Yjs client id under which this copy writes. */
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
   * Makes the text equal to `markdown` as a change of this writer that ends at `caret`, if that is known. Returns whether
   * it differed.
   */
  change(markdown: string, caret?: number): boolean {
    return setSharedText(this.#doc, markdown, { origin: this, caret });
  }

  /**
   * Takes the text of a view that showed `shown`, which may lag behind this copy. With `keepsLineEnds`, spaces at the ends of
   * lines stay: an editor drops them from the blocks that it writes anew, but somebody else may have just typed them.
   * Returns the text that the view shows now.
   */
  changeView(shown: string, text: string, keepsLineEnds: boolean): string {
    const edits = keepsLineEnds ? diffWords(shown, text).filter((edit) => !removesLineEnd(shown, edit)) : undefined;
    const mine = edits ? applyEdits(shown, edits) : text;
    const now = this.markdown;
    this.change(shown === now ? mine : mergeTexts(shown, mine, now));
    return mine;
  }

  /** Returns the changes to send, as one update; undefined if there are none. Call `acknowledge` when they arrived. */
  take(): Uint8Array | undefined {
    this.#sending = this.#pending.length;
    if (this.#sending === 0) return undefined;
    const merged = this.#sending === 1 ? this.#pending[0]! : mergeUpdates(this.#pending);
    // Later calls need not merge these again.
    this.#pending = [merged];
    this.#sending = 1;
    return merged;
  }

  /** Removes the changes that `take` returned last, because the server has stored them. */
  acknowledge(): void {
    this.#pending.splice(0, this.#sending);
    this.#sending = 0;
  }

  /** Applies changes of others. */
  receive(update: Uint8Array): void {
    applyUpdate(this.#doc, update);
  }

  stateVector(): Uint8Array {
    return encodeStateVector(this.#doc);
  }

  /** Returns whether the copy waits for changes that an applied update builds on. */
  get isIncomplete(): boolean {
    return this.#doc.store.pendingStructs !== null || this.#doc.store.pendingDs !== null;
  }

  /** Returns the whole document and the unacknowledged changes, to be stored and given to the constructor again. */
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
 * Merges two changes of a text letter by letter. Both are kept; where both inserted at one place, `mine` comes first.
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
