import { intersectRect } from '../cells/rects.ts';
import { fail } from '../../../kernel/errors.ts';
import {
  type SheetDocument,
  type Protection,
  type SubSheet,
  contains,
  meets,
  rectOf,
} from '@sheaf/engine/internal/document';
import { cellName, type Rect } from '@sheaf/engine';
import { touches, type Mutation, type Touch } from '@sheaf/engine/internal/mutations';
import type { ToolCall } from '../calls/tool.ts';

/**
 * Throws if the mutations touch cells that another user protected, unless the caller owns the document. Called before
 * anything changes. The check works for all tools, because it reads the touched cells from the mutations.
 */
export function refuseProtected(document: SheetDocument, mutations: readonly Mutation[], call: ToolCall): void {
  if (call.isOwner || document.subSheets.every((one) => one.protections.length === 0)) return;
  for (const mutation of mutations) {
    for (const touch of touches(document, mutation)) {
      const sub = touch.sheet === undefined ? undefined : document.find(touch.sheet);
      const hit = sub?.protections.find((one) => blocksCaller(sub, one, touch, call.userId));
      if (!sub || !hit) continue;
      const where = hit.region
        ? `${cellName(hit.region[0], hit.region[1])}:${cellName(hit.region[2], hit.region[3])}`
        : 'the whole sub-sheet';
      throw fail(
        'protected',
        `${sub.name}!${where} is protected (${hit.id}); its creator and the document's owner may change it`,
      );
    }
  }
}

/**
 * Returns whether the protection blocks the caller's edit. A protection by another user does not block the edit if the
 * caller protected the same cells earlier.
 */
function blocksCaller(sub: SubSheet, protection: Protection, touch: Touch, userId: string): boolean {
  if (protection.owner === userId || !touchesProtection(protection, touch)) return false;
  const earlier = sub.protections.slice(0, sub.protections.indexOf(protection));
  const part = touchedPart(protection, touch);
  return !earlier.some(
    ({ owner, region }) => owner === userId && (region === null || (part && contains(rectOf(region), part))),
  );
}

/**
 * Returns the protected cells that an edit touches. If the edit names no cells, returns the whole protected range, or
 * undefined if the whole sub-sheet is protected.
 */
function touchedPart({ region }: Protection, { rect, over, across }: Touch): Rect | undefined {
  const touched = rect ?? over;
  if (!touched || across) return region ? rectOf(region) : undefined;
  if (region === null) return touched;
  return intersectRect(rectOf(region), touched);
}

function touchesProtection(protection: Protection, { rect, over, across }: Touch): boolean {
  if (protection.region === null) return true;
  const range = rectOf(protection.region);
  if (across)
    return across.axis === 'row'
      ? range.top < across.at && across.at <= range.bottom
      : range.left < across.at && across.at <= range.right;
  return (rect !== undefined && meets(range, rect)) || (over !== undefined && meets(range, over));
}
