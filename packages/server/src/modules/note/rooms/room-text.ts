import { randomInt } from 'node:crypto';
import { Doc, applyUpdate, encodeStateAsUpdate, encodeStateVector, getState, mergeUpdates, type Text } from 'yjs';
import { setSharedText, sharedTextOf } from '@sheaf/markdown/shared-text';
import { checkUpdate, UpdateRefused, type CheckedUpdate } from './check-update.ts';

/** Lowest Yjs client id for changes that the server's own operations make to a note. Clients must use lower ids. */
export const minOperationClient = 2 ** 32 - 2 ** 28;

/**
 * The text of an open note that several writers edit at once: a Yjs document with one text, the Markdown. This class
 * does no I/O; the class NoteRoom stores its results.
 */
export class RoomText {
  readonly #doc: Doc;
  readonly #text: Text;

  private constructor(doc: Doc) {
    this.#doc = doc;
    this.#text = sharedTextOf(doc);
  }

  static fromMarkdown(markdown: string): RoomText {
    const room = new RoomText(new Doc());
    setSharedText(room.#doc, markdown);
    return room;
  }

  /**
   * Creates the text from Yjs updates. Each update may build on those before it, and the first can be a stored state.
   */
  static fromUpdates(updates: readonly Uint8Array[]): RoomText {
    const doc = new Doc();
    for (const update of updates) applyUpdate(doc, update);
    return new RoomText(doc);
  }

  get markdown(): string {
    return this.#text.toString();
  }

  get length(): number {
    return this.#text.length;
  }

  /** Number of pieces of text (Yjs items) in the document, including deleted ones. */
  get pieces(): number {
    let count = 0;
    for (const structs of this.#doc.store.clients.values()) count += structs.length;
    return count;
  }

  /**
   * Encodes the changes that another copy of the document does not have. The copy's Yjs state vector tells which
   * changes it has. Without a state vector, encodes all changes.
   */
  encode(stateVector?: Uint8Array): Uint8Array {
    return encodeStateAsUpdate(this.#doc, stateVector);
  }

  stateVector(): Uint8Array {
    return encodeStateVector(this.#doc);
  }

  /** Returns whether the document contains insertions of a Yjs client. Deleted insertions count too. */
  hasClient(client: number): boolean {
    return getState(this.#doc.store, client) > 0;
  }

  check(update: Uint8Array): CheckedUpdate {
    return checkUpdate(this.#doc, update, this.pieces);
  }

  /**
   * Applies a Yjs update and returns whether it changed anything. Throws UpdateRefused if the update is invalid, or if
   * it makes the text longer than `maxBytes` bytes of UTF-8.
   */
  apply(update: Uint8Array, maxBytes: number): boolean {
    const { insertedLength } = this.check(update);
    // A UTF-16 code unit takes at most three bytes, so only a text near the limit is measured. It is measured on a
    // copy, because Yjs cannot undo an update.
    if ((this.length + insertedLength) * 3 > maxBytes && insertedLength > 0) {
      const copy = RoomText.fromUpdates([this.encode(), update]);
      const size = Buffer.byteLength(copy.markdown);
      if (size > maxBytes && size > Buffer.byteLength(this.markdown))
        throw new UpdateRefused(`would make the text too long: ${size} bytes, and at most ${maxBytes} are allowed`);
    }
    const isChanged = this.#applyTrusted(update);
    const { store } = this.#doc;
    if (store.pendingStructs === null && store.pendingDs === null) return isChanged;
    // Refuse pieces of text (Yjs items) that refer to each other as neighbors in a cycle. They have no position, and
    // Yjs would keep them as pending forever.
    store.pendingStructs = null;
    store.pendingDs = null;
    throw new UpdateRefused('has pieces without a place');
  }

  #applyTrusted(update: Uint8Array): boolean {
    let isChanged = false;
    const onUpdate = (): void => {
      isChanged = true;
    };
    this.#doc.on('update', onUpdate);
    applyUpdate(this.#doc, update);
    this.#doc.off('update', onUpdate);
    return isChanged;
  }

  /**
   * Merges a version of the note that was written outside of this shared document. `saved` is the encoded state of the
   * last version that this document saved or merged. The difference between the two versions becomes an update, which
   * is applied to the current text.
   *
   * Returns the encoded state of the new version, and the update. The update is undefined if the versions have equal
   * texts.
   */
  absorb(saved: Uint8Array, markdown: string): { state: Uint8Array; update: Uint8Array | undefined } {
    const version = RoomText.fromUpdates([saved]);
    version.#doc.clientID = this.#newOperationClient();
    const before = version.stateVector();
    const isChanged = setSharedText(version.#doc, markdown);
    const state = version.encode();
    if (!isChanged) return { state, update: undefined };
    const update = version.encode(before);
    this.#applyTrusted(update);
    return { state, update };
  }

  /**
   * Returns an unused Yjs client id that is higher than the ids of people who type. If two insertions have the same
   * position, Yjs puts the one with the lower id first. Text that an operation appends thus comes after a line that
   * somebody is typing at the end.
   */
  #newOperationClient(): number {
    for (;;) {
      const client = randomInt(minOperationClient, 2 ** 32);
      if (!this.hasClient(client)) return client;
    }
  }

  close(): void {
    this.#doc.destroy();
  }
}

export function mergedUpdates(updates: readonly Uint8Array[]): Uint8Array {
  return mergeUpdates([...updates]);
}
