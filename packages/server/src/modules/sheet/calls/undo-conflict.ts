import { type SheetDocument, meets } from '@sheaf/engine/internal/document';
import { besideOf, touches, type Mutation, type Touch } from '@sheaf/engine/internal/mutations';

/**
 * Returns the reason why a revision cannot be undone while a later revision stays in effect; undefined if it can be
 * undone. The reason is the end of a sentence, such as "changed the same cells". `undoing` are the mutations that would
 * undo the revision; `later` are those of the later revision.
 */
export function findUndoConflict(
  document: SheetDocument,
  undoing: readonly Mutation[],
  later: readonly Mutation[],
): string | undefined {
  const undone = undoing.filter((one) => besideOf(one).undone !== 'dropped');
  if (undone.some((one) => besideOf(one).undone === 'never')) return 'did more than change cells';
  const before = undone.flatMap((one) => touches(document, one));
  for (const mutation of later) {
    if (besideOf(mutation).later === 'never') return 'moved cells or changed the structure';
    for (const after of touches(document, mutation)) {
      if (before.some((one) => isSameObject(one, after))) return 'set the same';
      if (before.some((one) => meetsCells(one, after))) return 'changed the same cells';
    }
  }
  return undefined;
}

function isSameObject(one: Touch, other: Touch): boolean {
  return one.object !== undefined && one.object === other.object && one.sheet === other.sheet;
}

function meetsCells(one: Touch, other: Touch): boolean {
  return one.sheet === other.sheet && one.rect !== undefined && other.rect !== undefined && meets(one.rect, other.rect);
}
