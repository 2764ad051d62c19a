import type { Rect } from '../address.ts';
import type { SheetDocument } from '../document.ts';
import type { Change } from '../graph/writer.ts';
import type { PivotTable } from '../state/objects.ts';
import type { SubSheet } from '../state/sub-sheet.ts';
import { BLANK, TABLED } from '../store/chunk.ts';
import { ERRORS, MAX_COLS, MAX_ROWS, Matrix } from '../values.ts';
import type { RecalcOptions } from '../workbook.ts';
import { computePivot } from './compute.ts';

/**
 * Pivot tables fill cells as arrays do: computed, marked as such, and never in the way of undoing. One that finds
 * something in its way shows `#SPILL!` until there is room.
 */

export function retractPivots(document: SheetDocument, sheet: string): void {
  for (const [id, output] of document.pivotOutputs) if (output.sheet === sheet) retractPivot(document, id);
}

export function retractPivot(document: SheetDocument, id: string): void {
  const output = document.pivotOutputs.get(id);
  document.pivotOutputs.delete(id);
  document.pivotStamps.delete(id);
  const sub = output && document.find(output.sheet);
  if (!output || !sub) return;
  const { rect } = output;
  for (let col = rect.left; col <= rect.right; col++) {
    sub.sheet.cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to) => {
      const ids = chunk.formulas;
      if (!ids) return;
      for (let i = from; i <= to; i++) {
        if (ids[i] !== TABLED) continue;
        ids[i] = 0;
        chunk.tags[i] = BLANK;
        chunk.nums[i] = 0;
      }
    });
    sub.sheet.cells.touch(col);
    document.workbook.changed.add(sub.sheet, col, rect.top, rect.bottom);
  }
}

/** Computes the pivot tables whose source, place or settings changed; returns the cells that did. */
export function refreshPivots(document: SheetDocument, options: RecalcOptions, all: boolean): Change[] {
  const changes: Change[] = [];
  for (const id of document.pivotOutputs.keys()) if (!document.pivot(id)) retractPivot(document, id);
  for (const pivot of document.pivots) {
    const stamp = stampOf(document, pivot);
    const output = document.pivotOutputs.get(pivot.id);
    if (!all && output && !output.blocked && document.pivotStamps.get(pivot.id) === stamp) continue;
    const sub = document.subSheet(pivot.sheet);
    const matrix = pivot.source ? computePivot(document, pivot, options) : Matrix.row([ERRORS.ref]);
    if (!output || output.blocked || !isShown(sub, pivot, matrix, output.rect)) {
      changes.push(...show(document, sub, pivot, matrix, output?.blocked ?? false));
    }
    document.pivotStamps.set(pivot.id, stampOf(document, pivot));
  }
  return changes;
}

function stampOf(document: SheetDocument, pivot: PivotTable): string {
  const columns = (sub: SubSheet | undefined, left: number, right: number): string => {
    if (!sub) return '';
    let sum = 0;
    for (let col = left; col <= Math.min(right, sub.sheet.cells.versions.length - 1); col++) sum += sub.sheet.cells.version(col);
    return `${sub.sheet.id}.${sub.sheet.cells.epoch}.${sum}`;
  };
  const output = document.pivotOutputs.get(pivot.id);
  const source = pivot.source ? columns(document.find(pivot.sourceSheet), pivot.source[1], pivot.source[3]) : '';
  return `${source}/${output ? columns(document.find(output.sheet), output.rect.left, output.rect.right) : ''}`;
}

function areaOf(pivot: PivotTable, matrix: Matrix): Rect {
  return { top: pivot.row, left: pivot.col, bottom: pivot.row + Math.max(1, matrix.rows) - 1, right: pivot.col + Math.max(1, matrix.cols) - 1 };
}

function isShown(sub: SubSheet, pivot: PivotTable, matrix: Matrix, rect: Rect): boolean {
  const area = areaOf(pivot, matrix);
  if (rect.top !== area.top || rect.left !== area.left || rect.bottom !== area.bottom || rect.right !== area.right) return false;
  const { cells } = sub.sheet;
  for (let row = 0; row < matrix.rows; row++) {
    for (let col = 0; col < matrix.cols; col++) {
      const value = matrix.at(row, col);
      if (cells.read(area.top + row, area.left + col) !== value) return false;
      if (value !== null && cells.formulaId(area.top + row, area.left + col) !== TABLED) return false;
    }
  }
  return true;
}

/** Whether a pivot table has room for its table where it stands; what it shows now does not count. */
export function pivotFits(document: SheetDocument, pivot: PivotTable, options: RecalcOptions = {}): boolean {
  const sub = document.subSheet(pivot.sheet);
  const own = document.pivotOutputs.get(pivot.id);
  return isFree(sub, areaOf(pivot, computePivot(document, pivot, options)), own?.sheet === sub.id ? own.rect : undefined);
}

function isFree(sub: SubSheet, area: Rect, own?: Rect): boolean {
  if (area.bottom >= MAX_ROWS || area.right >= MAX_COLS) return false;
  let free = true;
  for (let col = area.left; free && col <= area.right; col++) {
    sub.sheet.cells.eachPiece(col, area.top, area.bottom, (chunk, from, to, start) => {
      for (let i = from; free && i <= to; i++) {
        const id = chunk.formulas?.[i] ?? 0;
        if (chunk.tags[i] === BLANK && id === 0) continue;
        const row = start + i;
        const mine = id === TABLED && own && row >= own.top && row <= own.bottom && col >= own.left && col <= own.right;
        if (!mine) free = false;
      }
    });
  }
  return free;
}

function show(document: SheetDocument, sub: SubSheet, pivot: PivotTable, computed: Matrix, wasBlocked: boolean): Change[] {
  let matrix = computed;
  let area = areaOf(pivot, matrix);
  const before = document.pivotOutputs.get(pivot.id)?.rect;
  if (wasBlocked && !isFree(sub, area, before)) return [];
  retractPivot(document, pivot.id);
  const blocked = !isFree(sub, area);
  if (blocked) {
    matrix = Matrix.row([ERRORS.spill]);
    area = areaOf(pivot, matrix);
  }
  document.pivotOutputs.set(pivot.id, { sheet: sub.id, rect: area, blocked });
  const changes: Change[] = before ? spans(sub, before) : [];
  if (blocked && !isFree(sub, area)) return changes;
  const { cells } = sub.sheet;
  for (let col = 0; col < matrix.cols; col++) {
    for (let row = 0; row < matrix.rows; row++) {
      const value = matrix.at(row, col);
      if (value === null) continue;
      const { chunk, index } = cells.chunkFor(area.top + row, area.left + col);
      cells.put(chunk, index, value);
      chunk.needFormulas()[index] = TABLED;
    }
    cells.touch(area.left + col);
    document.workbook.changed.add(sub.sheet, area.left + col, area.top, area.bottom);
  }
  return [...changes, ...spans(sub, area)];
}

function spans(sub: SubSheet, rect: Rect): Change[] {
  const found: Change[] = [];
  for (let col = rect.left; col <= rect.right; col++) found.push({ sheet: sub.sheet.id, col, top: rect.top, bottom: rect.bottom });
  return found;
}
