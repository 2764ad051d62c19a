import { charge } from '../../base/budget.ts';
import type { Rect } from '../../base/address.ts';
import type { PivotOutput, SheetDocument } from '../document.ts';
import type { Change } from '../../graph/group-calculator.ts';
import type { PivotTable } from '../objects/sheet-objects.ts';
import { meets, sameRect } from '../objects/rect.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { blankTag, spilledMark, pivotMark } from '../../store/chunk.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';
import { cellErrors, Matrix } from '../../base/values.ts';
import type { RecalcOptions } from '../../workbook/workbook-core.ts';
import { computePivot } from './compute-pivot.ts';

/**
 * Removes the output of the pivot tables from a sub-sheet. The output can be computed again, so undo does not store it.
 * Its cells are recognized by the mark `pivotMark`.
 */
export function retractPivots(document: SheetDocument, sheet: string): void {
  for (const [id, output] of document.pivotOutputs) if (output.sheet === sheet) retractPivot(document, id);
}

export function retractPivot(document: SheetDocument, id: string): void {
  const output = document.pivotOutputs.get(id);
  document.pivotOutputs.delete(id);
  document.pivotStamps.delete(id);
  const sub = output && document.find(output.sheet);
  if (!output || output.hidden || !sub) return;
  const { rect } = output;
  for (let col = rect.left; col <= rect.right; col++) {
    sub.sheet.cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to) => {
      const ids = chunk.formulas;
      if (!ids) return;
      for (let i = from; i <= to; i++) {
        if (ids[i] !== pivotMark) continue;
        ids[i] = 0;
        chunk.tags[i] = blankTag;
        chunk.nums[i] = 0;
      }
    });
    sub.sheet.cells.touch(col);
    document.workbook.changed.add(sub.sheet, col, rect.top, rect.bottom);
  }
}

interface DesiredOutput {
  readonly matrix: Matrix;
  readonly area: Rect;
  readonly blocked: boolean;
  /** True if other content occupies the first cell of the pivot table, so that not even #SPILL! can be shown. */
  readonly hidden: boolean;
}

/**
 * Recomputes the pivot tables whose source or output columns changed, and those that had no output or no room for it.
 * With `all`, recomputes every pivot table. Returns the changed cells.
 */
export function refreshPivots(document: SheetDocument, options: RecalcOptions, all: boolean): Change[] {
  const changes: Change[] = [];
  for (const id of document.pivotOutputs.keys()) if (!document.pivot(id)) retractPivot(document, id);
  for (const pivot of document.pivots) {
    const output = document.pivotOutputs.get(pivot.id);
    if (!all && output && !output.blocked && document.pivotStamps.get(pivot.id) === stampOf(document, pivot)) continue;
    const sub = document.subSheet(pivot.sheet);
    const wanted = desiredOutputOf(document, sub, pivot, options);
    if (!output || !isShown(sub, wanted, output)) changes.push(...show(document, sub, pivot, wanted));
    document.pivotStamps.set(pivot.id, stampOf(document, pivot));
  }
  return changes;
}

function desiredOutputOf(
  document: SheetDocument,
  sub: SubSheet,
  pivot: PivotTable,
  options: RecalcOptions,
): DesiredOutput {
  const matrix = pivot.source ? computePivot(document, pivot, options) : Matrix.row([cellErrors.ref]);
  const area = areaOf(pivot, matrix);
  const yielding = yieldingTo(document, pivot);
  if (isFree(sub, area, yielding)) return { matrix, area, blocked: false, hidden: false };
  const mark = Matrix.row([cellErrors.spill]);
  const anchor = areaOf(pivot, mark);
  return { matrix: mark, area: anchor, blocked: true, hidden: !isFree(sub, anchor, yielding) };
}

/**
 * Returns the current output areas that this pivot table may overwrite: its own and those of the tables after it in the
 * document's list. If two tables want the same cells, the first in the list thus gets them.
 */
function yieldingTo(document: SheetDocument, pivot: PivotTable): Rect[] {
  const index = document.pivots.findIndex((one) => one.id === pivot.id);
  const rects: Rect[] = [];
  for (const [id, output] of document.pivotOutputs) {
    if (output.sheet !== pivot.sheet || output.hidden) continue;
    if (index < 0 ? id === pivot.id : document.pivots.findIndex((one) => one.id === id) >= index)
      rects.push(output.rect);
  }
  return rects;
}

function stampOf(document: SheetDocument, pivot: PivotTable): string {
  const columns = (sub: SubSheet | undefined, left: number, right: number): string => {
    if (!sub) return '';
    let sum = 0;
    for (let col = left; col <= Math.min(right, sub.sheet.cells.versions.length - 1); col++)
      sum += sub.sheet.cells.version(col);
    return `${sub.sheet.id}.${sub.sheet.cells.epoch}.${sum}`;
  };
  const output = document.pivotOutputs.get(pivot.id);
  const source = pivot.source ? columns(document.find(pivot.sourceSheet), pivot.source[1], pivot.source[3]) : '';
  return `${source}/${output ? columns(document.find(output.sheet), output.rect.left, output.rect.right) : ''}`;
}

function areaOf(pivot: PivotTable, matrix: Matrix): Rect {
  return {
    top: pivot.row,
    left: pivot.col,
    bottom: pivot.row + Math.max(1, matrix.rows) - 1,
    right: pivot.col + Math.max(1, matrix.cols) - 1,
  };
}

function isShown(sub: SubSheet, wanted: DesiredOutput, output: PivotOutput): boolean {
  const { matrix, area, blocked, hidden } = wanted;
  if (output.sheet !== sub.id || output.blocked !== blocked || !sameRect(output.rect, area)) return false;
  if (hidden || output.hidden) return hidden === output.hidden;
  const { cells } = sub.sheet;
  charge(((area.right - area.left + 1) * (area.bottom - area.top + 1)) / 4);
  for (let row = area.top; row <= area.bottom; row++) {
    for (let col = area.left; col <= area.right; col++) {
      if (
        cells.formulaId(row, col) !== pivotMark ||
        cells.read(row, col) !== matrix.at(row - area.top, col - area.left)
      )
        return false;
    }
  }
  return true;
}

/** Returns whether a pivot table has enough room at its location, ignoring its current output. */
export function pivotFits(document: SheetDocument, pivot: PivotTable, options: RecalcOptions = {}): boolean {
  return !desiredOutputOf(document, document.subSheet(pivot.sheet), pivot, options).blocked;
}

/**
 * Returns whether a pivot table may fill the area: it lies within the grid, and every cell is blank, is filled by a
 * spilled array, or lies in one of `yielding`, the outputs of pivot tables that it may overwrite.
 */
function isFree(sub: SubSheet, area: Rect, yielding: readonly Rect[]): boolean {
  if (area.bottom >= maxRows || area.right >= maxCols) return false;
  let free = true;
  for (let col = area.left; free && col <= area.right; col++) {
    sub.sheet.cells.eachPiece(col, area.top, area.bottom, (chunk, from, to, start) => {
      for (let i = from; free && i <= to; i++) {
        const id = chunk.formulas?.[i] ?? 0;
        if ((chunk.tags[i] === blankTag && id === 0) || id === spilledMark) continue;
        const row = start + i;
        if (
          id !== pivotMark ||
          !yielding.some((rect) => row >= rect.top && row <= rect.bottom && col >= rect.left && col <= rect.right)
        )
          free = false;
      }
    });
  }
  return free;
}

function show(document: SheetDocument, sub: SubSheet, pivot: PivotTable, wanted: DesiredOutput): Change[] {
  const { matrix, area, blocked, hidden } = wanted;
  const before = document.pivotOutputs.get(pivot.id);
  const changes: Change[] = before?.sheet === sub.id ? spans(sub, before.rect) : [];
  retractPivot(document, pivot.id);
  for (const [id, other] of document.pivotOutputs) {
    if (hidden || other.hidden || other.sheet !== sub.id || !meets(other.rect, area)) continue;
    changes.push(...spans(sub, other.rect));
    retractPivot(document, id);
  }
  document.pivotOutputs.set(pivot.id, { sheet: sub.id, rect: area, blocked, hidden });
  if (hidden) return changes;
  const { cells } = sub.sheet;
  charge((area.right - area.left + 1) * (area.bottom - area.top + 1));
  for (let col = area.left; col <= area.right; col++) {
    // Blank cells of the output also get the pivot mark, so that no array spills into them.
    for (let row = area.top; row <= area.bottom; row++) {
      const { chunk, index } = cells.chunkFor(row, col);
      cells.put(chunk, index, matrix.at(row - area.top, col - area.left));
      chunk.needFormulas()[index] = pivotMark;
    }
    cells.touch(col);
    document.workbook.changed.add(sub.sheet, col, area.top, area.bottom);
  }
  return [...changes, ...spans(sub, area)];
}

function spans(sub: SubSheet, rect: Rect): Change[] {
  const found: Change[] = [];
  for (let col = rect.left; col <= rect.right; col++)
    found.push({ sheet: sub.sheet.id, col, top: rect.top, bottom: rect.bottom });
  return found;
}
