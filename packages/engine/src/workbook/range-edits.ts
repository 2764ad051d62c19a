import type { Sheet } from '../store/sheet.ts';
import { blankTag, spilledMark } from '../store/chunk.ts';
import { reorderColumnRows } from '../store/reorder-rows.ts';
import type { WorkbookCore } from './workbook-core.ts';

/** Edits of whole rectangles that do not move other cells. */

/** Clears values and formulas; styles stay. */
export function clearContents(
  workbook: WorkbookCore,
  sheet: Sheet,
  top: number,
  left: number,
  bottom: number,
  right: number,
): void {
  const { cells } = sheet;
  for (const anchor of workbook.spills.meeting(sheet.id, top, left, bottom, right)) {
    const inside = anchor.row >= top && anchor.row <= bottom && anchor.col >= left && anchor.col <= right;
    if (inside) workbook.setValue(sheet, anchor.row, anchor.col, null);
  }
  const last = Math.min(right, cells.width - 1);
  for (let col = left; col <= last; col++) {
    let first = -1;
    let end = -1;
    let formulas = false;
    cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
      for (let i = from; i <= to; i++) {
        const formula = chunk.formulas?.[i] ?? 0;
        if (chunk.tags[i] === blankTag && formula === 0) continue;
        if (chunk.formulas && formula !== 0) {
          chunk.formulas[i] = 0;
          if (formula !== spilledMark) formulas = true;
        }
        chunk.tags[i] = blankTag;
        chunk.nums[i] = 0;
        if (first < 0) first = start + i;
        end = start + i;
      }
    });
    if (first < 0) continue;
    cells.touch(col);
    workbook.changed.add(sheet, col, first, end);
    if (formulas) workbook.graph.touch(sheet, col, first, end);
  }
}

/**
 * Reorders the rows of a rectangle, as sorting does: row `top + i` gets the content of row `top + order[i]`. Relative
 * references of moved formulas are adjusted as when copying; references in other formulas stay.
 */
export function reorderRows(
  workbook: WorkbookCore,
  sheet: Sheet,
  top: number,
  left: number,
  bottom: number,
  right: number,
  order: ArrayLike<number>,
): void {
  const count = bottom - top + 1;
  if (order.length !== count) throw new RangeError(`order: ${order.length} rows given for the ${count} of the range`);
  const seen = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const from = order[i] as number;
    if (seen[from] !== 0) throw new RangeError(`order: must hold each number from 0 to ${count - 1} once`);
    seen[from] = 1;
  }
  const { cells } = sheet;
  const { spills } = workbook;
  for (const anchor of spills.meeting(sheet.id, top, left, bottom, right)) {
    const area = spills.retract(sheet, anchor.row, anchor.col);
    workbook.graph.markDue(sheet, anchor.col, anchor.row, anchor.row);
    if (area)
      for (let col = area.left; col <= area.right; col++) workbook.changed.add(sheet, col, area.top, area.bottom);
  }
  const last = Math.min(right, cells.width - 1);
  for (let col = left; col <= last; col++) {
    let formulas = false;
    const held = reorderColumnRows(cells, col, top, order, (id, row) => {
      formulas = true;
      const template = workbook.templates.get(id);
      return template ? workbook.templates.moved(template, row, col).id : id;
    });
    if (!held) continue;
    workbook.changed.add(sheet, col, top, bottom);
    if (formulas) workbook.graph.touch(sheet, col, top, bottom);
  }
}
