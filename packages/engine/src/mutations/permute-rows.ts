import type { Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import { formulaRun, type FormulaRun } from '../document/objects/cell-contents.ts';
import { checkRegion, contains, meets, rectOf, type Region } from '../document/objects/rect.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { namesForStoredFormulas } from '../document/objects/document-tables.ts';
import { retractPivots } from '../document/pivot/pivot-output.ts';
import type { Template } from '../formula/formula-template.ts';
import { CutsArray } from './array-formula-checks.ts';
import { neverNoOp, undoNever } from './affected-parts.ts';
import { defineMutation, type Mutation, type MutationKind } from './define-mutation.ts';
import { setValues } from './set-values.ts';

/**
 * Names of XML elements of imported files that belong to single cells. The document stores such elements unread, and
 * they move with their cells.
 */
const carriedByCells = new Set(['comment', 'threadedComment', 'richValue', 'hyperlink']);

interface PermuteRows {
  readonly sheet: string;
  readonly region: Region;
  /** Row `i` of the region gets the content of row `order[i]`; both count from the region's top. */
  readonly order: readonly number[];
}

/** Reorders the rows of a region, as sorting does. Relative references of moved formulas stay relative. */
export const permuteRows: MutationKind<PermuteRows> = defineMutation({
  type: 19,
  name: 'permute_rows',
  scope: 'cells',
  touches: ({ sheet, region }) => [{ sheet, rect: rectOf(region), writesFormulas: true, writesContents: true }],
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { sheet, region, order }) => {
    const sub = document.subSheet(sheet);
    const rect = checkRegion(region);
    const back = inverseOrder(order, rect.bottom - rect.top + 1);
    if (sub.merges.meeting(rect).length > 0) throw new RangeError('region: merged areas lie in it');
    const array = document.workbook.spills.legacyArrays(sub.sheet.id).find((area) => meets(area, rect));
    if (array) throw new CutsArray(array);
    retractPivots(document, sheet);
    const lost = permuteCells(document, sub, rect, order);
    permuteStyles(sub, rect, order, back);
    const undo: Mutation[] = [permuteRows.of({ sheet, region, order: back })];
    if (lost.length > 0) undo.push(setValues.of({ sheet, formulas: lost, keepLinks: true }));
    return undo;
  },
});

function inverseOrder(order: readonly number[], rows: number): number[] {
  if (order.length !== rows) throw new RangeError(`order: ${order.length} rows are listed for a region of ${rows}`);
  const back = new Int32Array(rows).fill(-1);
  for (let to = 0; to < rows; to++) {
    const from = order[to] as number;
    // For an index out of range, `back[from]` is undefined, so the index is rejected too.
    if (back[from] !== -1) throw new RangeError(`order: row ${from} is listed twice or is none of the ${rows}`);
    back[from] = to;
  }
  return Array.from(back);
}

/**
 * Reorders the values and formulas of the rows. Some moved formulas cannot be moved back without loss, because their
 * references would leave the grid or get their corners exchanged. Returns the original formulas of these cells, for
 * undo.
 */
function permuteCells(document: SheetDocument, sub: SubSheet, rect: Rect, order: readonly number[]): FormulaRun[] {
  const { workbook } = document;
  const { sheet } = sub;
  const { cells } = sheet;
  const lost: FormulaRun[] = [];
  if (workbook.spills.any(sheet.id)) {
    // Clear the arrays that overlap the region and that formulas have filled (spilled) into neighboring cells. The
    // recalculation fills them again from the new positions of their formulas.
    for (const { row, col } of workbook.spills.meeting(sheet.id, rect.top, rect.left, rect.bottom, rect.right)) {
      const area = workbook.spills.retract(sheet, row, col) ?? { top: row, left: col, bottom: row, right: col };
      workbook.graph.markDue(sheet, col, row, row);
      for (let c = area.left; c <= area.right; c++) workbook.changed.add(sheet, c, area.top, area.bottom);
    }
  }
  const rows = order.length;
  for (let col = rect.left; col <= rect.right; col++) {
    const tags = new Uint8Array(rows);
    const nums = new Float64Array(rows);
    let ids: Int32Array | undefined;
    let any = false;
    cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
      any = true;
      const at = start + from - rect.top;
      tags.set(chunk.tags.subarray(from, to + 1), at);
      nums.set(chunk.nums.subarray(from, to + 1), at);
      if (chunk.formulas?.subarray(from, to + 1).some((id) => id !== 0)) {
        ids ??= new Int32Array(rows);
        ids.set(chunk.formulas.subarray(from, to + 1), at);
      }
    });
    if (!any) continue;
    const templates = ids && movedTemplates(document, ids, rect.top, col, order, lost);
    const moved = reordered(tags, nums, order);
    for (let i = 0; i < rows;) {
      const { chunk, index } = cells.chunkFor(rect.top + i, col);
      const band = cells.bandAt(rect.top + i);
      const room = Math.min(rows - i, (band?.height ?? 1) - index);
      chunk.ensure(index + room - 1, band?.height ?? index + room);
      chunk.tags.set(moved.tags.subarray(i, i + room), index);
      chunk.nums.set(moved.nums.subarray(i, i + room), index);
      if (templates) chunk.needFormulas().set(templates.subarray(i, i + room), index);
      else chunk.formulas?.fill(0, index, index + room);
      i += room;
    }
    cells.touch(col);
    workbook.changed.add(sheet, col, rect.top, rect.bottom);
    if (templates) workbook.graph.touch(sheet, col, rect.top, rect.bottom);
  }
  return lost;
}

/**
 * Returns reordered copies of the arrays. A loop over flat arrays is fast even in the first sort of a process, before
 * the code is optimized.
 */
function reordered(
  tags: Uint8Array,
  nums: Float64Array,
  order: readonly number[],
): { tags: Uint8Array; nums: Float64Array } {
  const moved = { tags: new Uint8Array(tags.length), nums: new Float64Array(nums.length) };
  const { tags: newTags, nums: newNums } = moved;
  for (let i = 0; i < newTags.length; i++) {
    const from = order[i] as number;
    newTags[i] = tags[from] as number;
    newNums[i] = nums[from] as number;
  }
  return moved;
}

function movedTemplates(
  document: SheetDocument,
  ids: Int32Array,
  top: number,
  col: number,
  order: readonly number[],
  lost: FormulaRun[],
): Int32Array {
  const { templates } = document.workbook;
  const names = namesForStoredFormulas(document);
  return Int32Array.from(order, (from, to) => {
    const id = ids[from] as number;
    if (id <= 0) return id;
    const template = templates.get(id) as Template;
    const moved = templates.moved(template, top + to, col);
    if (moved !== template) lost.push(formulaRun(template, top + from, col, 1, names));
    return moved.id;
  });
}

function permuteStyles(sub: SubSheet, rect: Rect, order: readonly number[], back: readonly number[]): void {
  for (const col of sub.styles.used()) {
    if (col < rect.left || col > rect.right) continue;
    const runs = sub.styles.column(col);
    const before = new Int32Array(order.length);
    runs?.each(rect.top, rect.bottom, (start, end, id) => before.fill(id, start - rect.top, end - rect.top + 1));
    if (before.every((id) => id === before[0])) continue;
    for (let i = 0; i < order.length;) {
      const id = before[order[i] as number] as number;
      let end = i;
      while (end + 1 < order.length && before[order[end + 1] as number] === id) end++;
      sub.styles.set(col, rect.top + i, rect.top + end, id);
      i = end + 1;
    }
  }
  sub.carried = permuteCellObjects(sub.carried, ({ kind }) => carriedByCells.has(kind), rect, back);
  sub.comments = permuteCellObjects(sub.comments, () => true, rect, back);
  for (const map of [sub.links, sub.rich]) {
    if (map.size === 0) continue;
    map.remap((row, col) => {
      const inside = row >= rect.top && row <= rect.bottom && col >= rect.left && col <= rect.right;
      return { row: inside ? rect.top + (back[row - rect.top] as number) : row, col };
    });
  }
}

/**
 * Moves the objects that `isNote` accepts (for example cell comments) along with their cells. `back[i]` is the new
 * index of row `i`. All other objects stay in place.
 */
function permuteCellObjects<T extends { readonly regions?: readonly Region[] }>(
  list: readonly T[],
  isNote: (one: T) => boolean,
  rect: Rect,
  back: readonly number[],
): readonly T[] {
  const isMoved = (one: T): boolean => {
    const [region] = one.regions ?? [];
    return isNote(one) && region !== undefined && contains(rect, rectOf(region));
  };
  if (!list.some(isMoved)) return list;
  return list.map((one) => {
    const [region] = one.regions ?? [];
    if (!region || !isMoved(one)) return one;
    const row = rect.top + (back[region[0] - rect.top] as number);
    return { ...one, regions: [[row, region[1], row, region[3]]] };
  });
}
