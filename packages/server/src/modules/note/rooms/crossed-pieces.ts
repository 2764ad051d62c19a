import { Doc, Item, applyUpdate, encodeStateAsUpdate, getItem, getState, type ID } from 'yjs';

/** Parts of an update: items, and others that have no place in the text. */
type Struct = Item | { readonly id: ID };

interface Between {
  readonly left: ID;
  readonly right: ID;
}

/**
 * Returns whether an update contains a piece whose right neighbor is before its left one. No writer makes such a piece, and
 * its place depends on the order of the updates, so that copies of the text would not become the same.
 */
export function hasCrossedPieces(doc: Doc, update: Uint8Array, structs: readonly Struct[]): boolean {
  const isKnown = ({ client, clock }: ID): boolean => clock < getState(doc.store, client);
  const added: Between[] = [];
  for (const struct of structs) {
    if (!(struct instanceof Item) || !struct.origin || !struct.rightOrigin) continue;
    const between = { left: struct.origin, right: struct.rightOrigin };
    if (!isKnown(between.left) || !isKnown(between.right)) added.push(between);
    else if (!isInOrder(doc, between)) return true;
  }
  if (added.length === 0) return false;
  // Where the neighbors are that come with the update is only known when they are in the text.
  const copy = new Doc();
  try {
    applyUpdate(copy, encodeStateAsUpdate(doc));
    applyUpdate(copy, update);
    // Pieces that stand next to each other in a circle are not in the text.
    return copy.store.pendingStructs === null && added.some((between) => !isInOrder(copy, between));
  } finally {
    copy.destroy();
  }
}

function isInOrder(doc: Doc, { left, right }: Between): boolean {
  const [from, to] = [getItem(doc.store, left), getItem(doc.store, right)] as unknown[];
  // Items of which nothing is left have no place.
  if (!(from instanceof Item) || !(to instanceof Item)) return true;
  if (from === to) return left.clock < right.clock;
  for (let item = from.right; item; item = item.right) if (item === to) return true;
  return false;
}
