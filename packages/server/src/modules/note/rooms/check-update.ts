import { ContentDeleted, ContentString, GC, Item, decodeUpdate, getState, type Doc, type ID } from 'yjs';
import { sharedTextName } from '@sheaf/markdown/shared-text';
import { hasCrossedPieces } from './crossed-pieces.ts';

/**
 * Maximum size in bytes of one Yjs update, which contains a user's changes of a shared text. The limit allows replacing
 * a whole note by pasted text.
 */
export const maxUpdateBytes = 1.5 * 2 ** 20;
const maxDeletedRanges = 20_000;
/**
 * Maximum product of the number of pieces that an update inserts and the number of pieces in the shared document. It
 * limits the time to find the positions of the insertions. A piece is a Yjs item, that is, a run of text.
 */
const maxPlacingWork = 50_000_000;
const maxClock = 2 ** 40;

export interface CheckedUpdate {
  /** Ids of the Yjs clients whose insertions in this update are not in the shared document yet. */
  readonly clients: readonly number[];
  readonly insertedLength: number;
}

/** Thrown for a Yjs update that the server does not accept in a note that several people edit together. */
export class UpdateRefused extends Error {
  readonly isMissing: boolean;

  /**
   * Creates the error. `isMissing` is true if the update was refused because it builds on changes that the shared
   * document does not contain. The sender must then send those changes too.
   */
  constructor(message: string, isMissing = false) {
    super(message);
    this.isMissing = isMissing;
  }
}

/**
 * Checks a Yjs update of a note before it is applied, because Yjs cannot undo it. An update may only insert plain text
 * into the shared text and delete text. It may build only on changes that the shared document contains.
 */
export function checkUpdate(doc: Doc, update: Uint8Array, piecesInRoom: number): CheckedUpdate {
  if (update.length > maxUpdateBytes)
    throw new UpdateRefused(`must be at most ${maxUpdateBytes} bytes (got ${update.length})`);
  const { structs, ds } = decode(update);
  if (structs.length * piecesInRoom > maxPlacingWork)
    throw new UpdateRefused(`has too many pieces for this note (got ${structs.length})`);
  const ends = new Map<number, number>();
  const endOf = (client: number): number => ends.get(client) ?? getState(doc.store, client);
  for (const struct of structs) {
    const { client, clock } = struct.id;
    const end = endOf(client);
    if (clock > end) throw new UpdateRefused(`starts at ${clock} of client ${client}, after ${end}`, true);
    if (clock + struct.length > maxClock) throw new UpdateRefused('has a clock that is too high');
    if (clock + struct.length > end) ends.set(client, clock + struct.length);
  }
  let insertedLength = 0;
  for (const struct of structs) {
    if (struct instanceof Item) insertedLength += checkItem(struct, endOf);
    else if (!(struct instanceof GC)) throw new UpdateRefused('has a gap');
  }
  let ranges = 0;
  for (const [client, deleted] of ds.clients) {
    ranges += deleted.length;
    for (const { clock, len } of deleted)
      if (clock + len > endOf(client)) throw new UpdateRefused(`deletes what client ${client} has not written`, true);
  }
  if (ranges > maxDeletedRanges) throw new UpdateRefused(`has too many deletions (got ${ranges})`);
  if (hasCrossedPieces(doc, update, structs))
    throw new UpdateRefused('has a piece whose neighbors are the wrong way round');
  return { clients: [...ends.keys()], insertedLength };
}

function decode(update: Uint8Array): ReturnType<typeof decodeUpdate> {
  try {
    return decodeUpdate(update);
  } catch {
    throw new UpdateRefused('is not an update of Yjs');
  }
}

function checkItem(item: Item, endOf: (client: number) => number): number {
  if (item.parentSub !== null) throw new UpdateRefused('sets an attribute');
  // A Yjs item that is inserted next to another item does not name its parent, because both items have the same one.
  // The loop below checks that these neighbors are known. Only an item without neighbors must name the shared text.
  const parent: unknown = item.parent;
  if (item.origin === null && item.rightOrigin === null && parent !== sharedTextName)
    throw new UpdateRefused('writes outside of the text');
  for (const id of [item.origin, item.rightOrigin] as (ID | null)[])
    if (id && id.clock >= endOf(id.client)) throw new UpdateRefused('stands next to text that is unknown', true);
  if (item.content instanceof ContentDeleted) return 0;
  if (!(item.content instanceof ContentString)) throw new UpdateRefused('contains something other than text');
  if (item.content.str.includes('\0')) throw new UpdateRefused('contains the character U+0000');
  return item.content.str.length;
}
