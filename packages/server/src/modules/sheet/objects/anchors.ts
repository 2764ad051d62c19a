import { type Anchor, anchorRect, type SubSheet } from '@sheaf/engine/internal/document';
import { type Mutation, setGrid } from '@sheaf/engine/internal/mutations';

/**
 * Returns mutations that enlarge the grid to contain a floating object. Parts of the object outside the grid would be
 * invisible.
 */
export function enlargeGridForAnchor(sub: SubSheet, anchor: Anchor): Mutation[] {
  const { bottom, right } = anchorRect(sub, anchor);
  if (bottom < sub.rows && right < sub.cols) return [];
  return [setGrid.of({ sheet: sub.id, rows: Math.max(sub.rows, bottom + 1), cols: Math.max(sub.cols, right + 1) })];
}
