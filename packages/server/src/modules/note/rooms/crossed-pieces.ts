import { Doc, Item, applyUpdate, encodeStateAsUpdate, getItem, getState, type ID } from 'yjs';

/** Part of a Yjs update: an item with a position in the text, or a part without a position. */
type Struct = Item | { readonly id: ID };

interface Between {
  readonly left: ID;
  readonly right: ID;
}

/**
 * Returns whether an update contains a piece (a Yjs item) whose right neighbor comes before its left neighbor. Correct
 * clients never send such a piece. Its position would depend on the order of updates, so that copies of the text would
 * differ.
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
  // If a piece's neighbor is in the same update, the neighbor has no position yet. Apply the update to a copy of the
  // document to find the position.
  const copy = new Doc();
  try {
    applyUpdate(copy, encodeStateAsUpdate(doc));
    applyUpdate(copy, update);
    // Pieces that refer to each other as neighbors in a cycle stay pending in Yjs and are not in the text, so their
    // order cannot be checked. `RoomText.apply` refuses them later.
    return copy.store.pendingStructs === null && added.some((between) => !isInOrder(copy, between));
  } finally {
    copy.destroy();
  }
}

function isInOrder(doc: Doc, { left, right }: Between): boolean {
  const [from, to] = [getItem(doc.store, left), getItem(doc.store, right)] as unknown[];
  // Yjs keeps no position for fully deleted pieces. Their order cannot be checked, so they count as being in order.
  if (!(from instanceof Item) || !(to instanceof Item)) return true;
  if (from === to) return left.clock < right.clock;
  for (let item = from.right; item; item = item.right) if (item === to) return true;
  return false;
}
