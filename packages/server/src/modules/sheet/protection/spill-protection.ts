import { intersectRect, shiftRect } from '../cells/rects.ts';
import { fail } from '../../../kernel/errors.ts';
import {
  type SheetDocument,
  type Protection,
  contains,
  meets,
  rectOf,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { cellName, type Rect } from '@sheaf/engine';
import { touches, type Mutation, type Touch } from '@sheaf/engine/internal/mutations';
import type { ToolCall } from '../calls/tool.ts';

/**
 * Cells that pivot tables and array formulas filled before an edit. Recorded because an edit must not make them fill
 * further cells that another user protected.
 */
export interface SpillState {
  readonly pivots: ReadonlyMap<string, Rect>;
  /**
   * For each protection, by its id: the cells of the protected range that are filled by array formulas whose own cell
   * is outside the range. Positions are relative to the range's first cell, because the edit may move the range and the
   * formulas.
   */
  readonly arrays: ReadonlyMap<string, readonly Rect[]>;
}

/**
 * Records which cells pivot tables and array formulas fill before an edit. Comparing the record with the cells after
 * the edit shows whether the edit makes them fill protected cells. Returns undefined if no protection applies to the
 * caller.
 */
export function captureSpills(document: SheetDocument, call: ToolCall): SpillState | undefined {
  if (call.isOwner || document.subSheets.every((sub) => foreignProtections(sub, call).length === 0)) return undefined;
  const arrays = new Map<string, Rect[]>();
  eachSpillIntoProtected(
    document,
    call,
    (_sub, protection, _anchor, covered) =>
      void arrays.set(protection.id, [...(arrays.get(protection.id) ?? []), covered]),
  );
  return { pivots: new Map([...document.pivotOutputs].map(([id, output]) => [id, output.rect])), arrays };
}

/**
 * Throws if an edit makes an array formula fill protected cells that it did not fill before, or makes an existing pivot
 * table grow over protected cells. `mutations` are the caller's own writes: a formula that the caller writes counts as
 * new, even if it replaces another formula.
 */
export function refuseSpillIntoProtected(
  document: SheetDocument,
  before: SpillState,
  call: ToolCall,
  mutations: readonly Mutation[],
): void {
  let written: readonly Touch[] | undefined;
  for (const [id, { sheet, rect }] of document.pivotOutputs) {
    const old = before.pivots.get(id);
    const grew =
      old && (rect.bottom - rect.top > old.bottom - old.top || rect.right - rect.left > old.right - old.left);
    const sub = grew ? document.find(sheet) : undefined;
    const hit =
      sub && foreignProtections(sub, call).find((one) => one.region === null || meets(rectOf(one.region), rect));
    if (hit)
      throw fail('protected', `pivot table ${id} would grow into cells of ${sub.name} that are protected (${hit.id})`);
  }
  eachSpillIntoProtected(document, call, (sub, protection, anchor, covered) => {
    // Compute the written cells only when they are first needed, which is rare.
    written ??= mutations.flatMap((one) => touches(document, one)).filter((one) => one.writesFormulas);
    const own = written.some(({ sheet, rect }) => sheet === sub.id && rect !== undefined && meets(rect, anchor));
    const stays = !own && before.arrays.get(protection.id)?.some((one) => contains(one, covered));
    if (!stays)
      throw fail(
        'protected',
        `the formula in ${sub.name}!${cellName(anchor.top, anchor.left)} would fill cells that are protected ` +
          `(${protection.id}); its creator and the document's owner may do that`,
      );
  });
}

function foreignProtections(sub: SubSheet, call: ToolCall): Protection[] {
  return sub.protections.filter((one) => one.owner !== call.userId);
}

/** Calls `visit` for each array formula outside another user's protected range whose results spill into that range. */
function eachSpillIntoProtected(
  document: SheetDocument,
  call: ToolCall,
  visit: (sub: SubSheet, protection: Protection, anchor: Rect, covered: Rect) => void,
): void {
  for (const sub of document.subSheets) {
    const guarded = foreignProtections(sub, call);
    if (guarded.length === 0 || !document.workbook.spills.any(sub.sheet.id)) continue;
    for (const area of document.workbook.spills.areasOf(sub.sheet.id).filled) {
      for (const protection of guarded) {
        if (protection.region === null) continue;
        const range = rectOf(protection.region);
        const anchor = { ...area, bottom: area.top, right: area.left };
        if (!meets(range, area) || meets(range, anchor)) continue;
        visit(sub, protection, anchor, shiftRect(intersectRect(range, area), -range.top, -range.left));
      }
    }
  }
}
