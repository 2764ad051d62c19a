import type { Rect } from '../base/address.ts';
import type { AxisChange } from '../base/axis-change.ts';
import type { SheetDocument } from '../document/document.ts';
import { capture, isEmpty } from '../document/objects/cell-contents.ts';
import { wholeGrid, regionOf } from '../document/objects/rect.ts';
import { axisLimit, shiftPivots, shiftState, shiftStyles } from '../document/objects/shift-objects.ts';
import { shiftAnchored } from '../document/objects/shift-anchored-objects.ts';
import { shiftTables, dropDeletedTableRows } from '../document/objects/shift-tables.ts';
import type { SubSheet, SubSheetState } from '../document/objects/sub-sheet.ts';
import { namesForStoredFormulas } from '../document/objects/document-tables.ts';
import { retractPivots } from '../document/pivot/pivot-output.ts';
import type { StructuralEdit } from '../formula/rewrite-reference.ts';
import { mapCell, rewritePattern } from '../graph/shift-groups.ts';
import type { RewrittenFormulas } from '../workbook/shift-cells-and-formulas.ts';
import { checkUnsplitArrays } from './array-formula-checks.ts';
import { CutsMerge } from './merge-split-error.ts';
import { updateOtherSheets, shiftReferencing } from './update-references.ts';
import { captureFormulas } from './capture-formulas.ts';
import type { Mutation } from './define-mutation.ts';
import { restoreBlock } from './restore-block.ts';
import { restoreState, type NamedFormula } from './restore-state.ts';
import { keepStyles } from './restore-styles.ts';

/**
 * Applies a structural edit, which inserts, deletes or moves rows, columns or cells: shifts cells, formulas and
 * objects. Returns the mutations that undo it: `reverse`, followed by mutations for state that `reverse` does not
 * restore.
 */
export function applyStructuralEdit(
  document: SheetDocument,
  sub: SubSheet,
  edit: StructuralEdit,
  reverse: Mutation,
): Mutation[] {
  checkMerges(sub, edit);
  checkUnsplitArrays(document, sub, edit);
  const back: StructuralEdit = { ...edit, change: reverseChange(edit.change) };
  const written = namesForStoredFormulas(document);
  const names = document.names(written);
  const { pivots } = document;
  const state = sub.save();
  const tables = dropDeletedTableRows(document, state.tables, edit);
  const lost = lostRect(edit);
  const contents = lost && edit.change.kind === 'delete' ? capture(document, sub, lost) : {};
  const styles = lost && sub.styles.list(lost).length > 0 ? keepStyles(document, sub, lost) : undefined;

  const shown = new Map([...document.pivotOutputs].map(([id, { rect }]) => [id, rect]));
  retractPivots(document, sub.id);
  const rewritten = shiftWorkbook(document, sub, edit);
  shiftStyles(sub.styles, edit);
  const shifted = shiftAll(document, { ...state, tables }, edit, back);
  // The grid grows to include cells that were pushed beyond its previous size.
  const [rows, cols] = shifted.size;
  const after: SubSheetState = {
    ...shifted,
    size: [Math.max(rows, sub.sheet.lastRow + 1), Math.max(cols, sub.sheet.lastCol + 1)],
  };
  sub.restore(after);
  document.pivots = shiftPivots(pivots, sub.id, edit, (id) => shown.get(id));

  const undo: Mutation[] = [reverse];
  if (!isEmpty(contents) && lost) undo.push(restoreBlock.of({ sheet: sub.id, region: regionOf(lost), ...contents }));
  if (styles) undo.push(styles);
  const stubborn = rewritten.filter((run) => !isRestoredByReverse(document, run, sub, back));
  undo.push(
    ...captureFormulas(document, stubborn, (sheet, row, col) =>
      sheet === sub.sheet.id ? mapCell(back, row, col) : { row, col },
    ),
  );
  const parts = changedParts(state, shiftAll(document, after, back, edit));
  const samePivots = same(
    pivots,
    shiftPivots(document.pivots, sub.id, back, () => undefined),
  );
  // After a move, all defined names are saved: a range that the move leaves unchanged may still change when the rows or
  // columns are moved back.
  const namesBefore = edit.change.kind === 'move' ? names : changedNames(names, document.names(written));
  if (parts || !samePivots || namesBefore.length > 0) {
    undo.push(
      restoreState.of({
        sheet: sub.id,
        ...(parts ? { state: parts } : {}),
        ...(samePivots ? {} : { pivots }),
        ...(namesBefore.length > 0 ? { names: namesBefore } : {}),
      }),
    );
  }
  undo.push(...updateOtherSheets(document, sub, edit, back));
  document.looksChanged = true;
  return undo;
}

function shiftAll(
  { workbook }: SheetDocument,
  state: SubSheetState,
  edit: StructuralEdit,
  back: StructuralEdit,
): SubSheetState {
  const shifted = shiftState(state, edit);
  return {
    ...shifted,
    ...shiftReferencing({ ...state, charts: shifted.charts }, edit.sheet, edit, back, workbook),
    comments: shiftAnchored(state.comments, edit.sheet, edit, back, workbook),
    tables: shiftTables(state.tables, edit),
  };
}

function shiftWorkbook(
  { workbook }: SheetDocument,
  { sheet }: SubSheet,
  { axis, change, within }: StructuralEdit,
): RewrittenFormulas[] {
  if (within) return workbook.shiftCells(sheet, axis, change, within.first, within.last);
  switch (change.kind) {
    case 'insert':
      return axis === 'row'
        ? workbook.insertRows(sheet, change.at, change.count)
        : workbook.insertCols(sheet, change.at, change.count);
    case 'delete':
      return axis === 'row'
        ? workbook.deleteRows(sheet, change.at, change.count)
        : workbook.deleteCols(sheet, change.at, change.count);
    default:
      return axis === 'row'
        ? workbook.moveRows(sheet, change.from, change.count, change.to)
        : workbook.moveCols(sheet, change.from, change.count, change.to);
  }
}

export function reverseChange(change: AxisChange): AxisChange {
  switch (change.kind) {
    case 'insert':
      return { ...change, kind: 'delete' };
    case 'delete':
      return { ...change, kind: 'insert' };
    default: {
      const { from, count, to } = change;
      const target = to > from ? to - count : to;
      return { kind: 'move', from: target, count, to: from > target ? from + count : from };
    }
  }
}

/** Returns the cells that the edit deletes, or that an insertion pushes off the grid; undefined for a move. */
function lostRect({ axis, change, within }: StructuralEdit): Rect | undefined {
  if (change.kind === 'move') return undefined;
  const limit = axisLimit(axis);
  const first = change.kind === 'delete' ? change.at : Math.max(change.at, limit - change.count);
  const last = change.kind === 'delete' ? change.at + change.count - 1 : limit - 1;
  const cross = within ?? { first: 0, last: axisLimit(axis === 'row' ? 'col' : 'row') - 1 };
  return axis === 'row'
    ? { top: first, bottom: last, left: cross.first, right: cross.last }
    : { top: cross.first, bottom: cross.last, left: first, right: last };
}

function checkMerges(sub: SubSheet, edit: StructuralEdit): void {
  if (sub.merges.size === 0) return;
  const { axis, change, within } = edit;
  const rows = axis === 'row';
  const refuse = (rect: Rect): never => {
    throw new CutsMerge(rect);
  };
  if (change.kind === 'move' && !edit.reorders) {
    const { from, count, to } = change;
    for (const rect of sub.merges.list()) {
      const [first, last] = rows ? [rect.top, rect.bottom] : [rect.left, rect.right];
      const touched = first < from + count && last >= from;
      if (touched && (first < from || last >= from + count)) refuse(rect);
      if (first < to && last >= to && !touched) refuse(rect);
    }
  }
  if (!within || change.kind === 'move') return;
  const zone = rows
    ? { ...wholeGrid, top: change.at, left: within.first, right: within.last }
    : { ...wholeGrid, left: change.at, top: within.first, bottom: within.last };
  for (const rect of sub.merges.meeting(zone)) {
    const inside = rows
      ? rect.left >= within.first && rect.right <= within.last
      : rect.top >= within.first && rect.bottom <= within.last;
    if (!inside) refuse(rect);
  }
}

/**
 * Returns whether `back`, the reverse of a structural edit, restores the former references of these formulas by itself.
 * If not, the undo must contain the formulas.
 */
function isRestoredByReverse(
  document: SheetDocument,
  run: RewrittenFormulas,
  sub: SubSheet,
  back: StructuralEdit,
): boolean {
  const { workbook } = document;
  const found = document.numbered(run.sheet);
  if (!found) return false;
  return [run.top, run.bottom].every((row) => {
    const now = workbook.templateAt(found.sheet, row, run.col);
    const place = run.sheet === sub.sheet.id ? mapCell(back, row, run.col) : { row, col: run.col };
    if (!now || !place) return false;
    return (
      rewritePattern(now.pattern, run.sheet, { row, col: run.col }, place, back, workbook.templates).pattern ===
      run.before
    );
  });
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the parts of `before` that differ from `after`; undefined if none do. */
function changedParts(before: SubSheetState, after: SubSheetState): Partial<SubSheetState> | undefined {
  const keys = (Object.keys(before) as (keyof SubSheetState)[]).filter((key) => !same(before[key], after[key]));
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, before[key]]));
}

export function changedNames(before: readonly NamedFormula[], after: readonly NamedFormula[]): NamedFormula[] {
  const now = new Map(after.map((one) => [`${one.sheet ?? ''}!${one.name}`, one.formula]));
  return before.filter((one) => now.get(`${one.sheet ?? ''}!${one.name}`) !== one.formula);
}
