import { fail } from '../../operation/errors.ts';
import { type SheetDocument, type Protection, meets, rectOf } from '../engine/document.ts';
import { cellName } from '../engine/index.ts';
import { touches, type Mutation, type Touch } from '../engine/mutations.ts';
import type { ToolCall } from '../calls/tool.ts';

/**
 * Refuses a plan that would touch cells somebody else protected, before anything changes. One place for every tool: what a
 * mutation touches is known from the mutation itself.
 */
export function refuseProtected(document: SheetDocument, mutations: readonly Mutation[], call: ToolCall): void {
  if (call.isOwner || document.subSheets.every((one) => one.protections.length === 0)) return;
  for (const mutation of mutations) {
    for (const touch of touches(document, mutation)) {
      const sub = touch.sheet === undefined ? undefined : document.find(touch.sheet);
      const hit = sub?.protections.find((one) => one.owner !== call.userId && hits(one, touch));
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

function hits(protection: Protection, { rect, across }: Touch): boolean {
  if (protection.region === null) return true;
  const range = rectOf(protection.region);
  if (across)
    return across.axis === 'row'
      ? range.top < across.at && across.at <= range.bottom
      : range.left < across.at && across.at <= range.right;
  return rect !== undefined && meets(range, rect);
}
