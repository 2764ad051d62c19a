import { mapHull, rewriteRef, type StructuralEdit } from '../formula/rewrite-reference.ts';
import { isRef, type PatternPart } from '../formula/token.ts';
import type { Pattern } from '../formula/formula-pattern.ts';
import type { RefPart } from '../formula/reference.ts';
import { mapCell, shiftGroup, writePattern, writePatterns, type ShiftedRun } from '../graph/shift-groups.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { shiftBlock } from '../store/shift-block.ts';
import { deleteCols, deleteRows, insertCols, insertRows, moveCols, moveRows } from '../store/structural-edits.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import type { WorkbookCore } from './workbook-core.ts';

/**
 * A run of formulas in a column whose references an edit changed or may have changed: their current cells and their
 * previous pattern, which is the formula without its constants. The constants stay the same.
 */
export interface RewrittenFormulas {
  readonly sheet: number;
  readonly col: number;
  readonly top: number;
  readonly bottom: number;
  readonly before: Pattern;
}

export function shiftCellsAndFormulas(
  workbook: WorkbookCore,
  sheet: IndexedSheet,
  edit: StructuralEdit,
): RewrittenFormulas[] {
  checkEdit(sheet, edit);
  const { change } = edit;
  if (change.kind === 'move' && change.to >= change.from && change.to <= change.from + change.count) return [];
  const { graph, spills, templates } = workbook;
  graph.flush();
  for (const area of spills.retractAll(sheet)) {
    graph.markDue(sheet, area.left, area.top, area.top);
    for (let col = area.left; col <= area.right; col++) workbook.changed.add(sheet, col, area.top, area.bottom);
  }
  const plans: { target: IndexedSheet; runs: ShiftedRun[]; moved: boolean }[] = [];
  for (const [id, map] of graph.maps) {
    const target = workbook.need(id);
    const runs: ShiftedRun[] = [];
    let moved = target === sheet;
    map.each((group) => {
      for (const run of shiftGroup(group, edit, templates)) {
        runs.push(run);
        if (run.group !== group || run.due) moved = true;
      }
    });
    plans.push({ target, runs, moved });
  }
  shiftCells(sheet, edit);
  const move = (col: number, top: number, bottom: number): { col: number; top: number; bottom: number } | undefined => {
    if (edit.axis === 'row') {
      const { within } = edit;
      if (within && (col < within.first || col > within.last)) return { col, top, bottom };
      const span = mapHull(edit.change, { first: top, last: bottom }, maxRows);
      return span && { col, top: span.first, bottom: span.last };
    }
    if (edit.within) return { col, top, bottom };
    const place = mapCell(edit, top, col);
    return place && { col: place.col, top, bottom };
  };
  workbook.changed.remap(sheet, move);
  graph.remapDue(sheet.id, move);
  const rewritten: RewrittenFormulas[] = [];
  for (const { target, runs, moved } of plans) {
    if (!moved) continue;
    writePatterns(target, runs, templates);
    graph.map(target).replace(runs);
    for (const run of runs) {
      if (run.due || (edit.within && target === sheet)) graph.markDue(target, run.col, run.top, run.bottom);
      // Also list a run whose pattern is unchanged but whose formulas must be recalculated (`due`): moved formulas with
      // absolute references may now refer to other cells.
      if (run.pattern !== run.before || run.due) {
        rewritten.push({ sheet: target.id, col: run.col, top: run.top, bottom: run.bottom, before: run.before });
      }
    }
  }
  let hasOffsets = false;
  const renamed = workbook.names.rewrite((ref) => {
    const isFixed = edit.axis === 'row' ? ref.topAbs && ref.bottomAbs : ref.leftAbs && ref.rightAbs;
    if (!isFixed) {
      // A relative reference in a defined name is an offset from the cell that uses the name. The offset stays the
      // same, but may lead to another cell after the edit.
      hasOffsets = true;
      return ref;
    }
    const next = rewriteRef(ref, -1, { row: 0, col: 0 }, { row: 0, col: 0 }, edit).ref;
    const same =
      next.shape === ref.shape &&
      next.top === ref.top &&
      next.left === ref.left &&
      next.bottom === ref.bottom &&
      next.right === ref.right;
    return same ? ref : next;
  });
  if (renamed || hasOffsets) scheduleNameUsers(workbook);
  markReorderedChanged(workbook, sheet, edit);
  graph.invalidate();
  return rewritten;
}

/**
 * Marks the cells that an edit reordered as changed. A formula that refers to a range around them keeps its reference
 * and would otherwise not be recalculated, although values inside the range have changed places.
 */
function markReorderedChanged(workbook: WorkbookCore, sheet: IndexedSheet, edit: StructuralEdit): void {
  const { change, axis, within } = edit;
  if (change.kind !== 'move' && !within) return;
  const first = change.kind === 'move' ? Math.min(change.from, change.to) : change.at;
  const last = change.kind === 'move' ? Math.max(change.from + change.count, change.to) - 1 : Infinity;
  const bottom = Math.max(sheet.cells.extent - 1, 0);
  const columns = sheet.cells.width;
  for (let col = 0; col <= columns; col++) {
    if (axis === 'row') {
      if (!within || (col >= within.first && col <= within.last))
        workbook.changed.add(sheet, col, first, Math.max(first, Math.min(last, bottom)));
    } else if (col >= first && col <= last) {
      workbook.changed.add(sheet, col, within?.first ?? 0, within?.last ?? bottom);
    }
  }
}

function checkEdit(sheet: IndexedSheet, edit: StructuralEdit): void {
  const { change, axis } = edit;
  const limit = axis === 'row' ? maxRows : maxCols;
  const start = change.kind === 'move' ? change.from : change.at;
  const unit = axis === 'row' ? 'rows' : 'columns';
  if (!Number.isInteger(start) || start < 0 || start >= limit)
    throw new RangeError(`at: ${start} is not one of the ${limit} ${unit}`);
  if (!Number.isInteger(change.count) || change.count < 1 || start + change.count > limit) {
    throw new RangeError(`count: ${change.count} ${unit} from ${start} do not fit the sheet's ${limit}`);
  }
  if (change.kind === 'move' && (!Number.isInteger(change.to) || change.to < 0 || change.to > limit)) {
    throw new RangeError(`to: ${change.to} is not between 0 and ${limit}`);
  }
  if (change.kind !== 'insert') return;
  const last = edit.within ? lastWithin(sheet, axis, edit.within) : axis === 'row' ? sheet.lastRow : sheet.lastCol;
  if (last >= change.at && last + change.count >= limit) {
    throw new RangeError(`count: inserting ${change.count} ${unit} would push cells past the sheet's ${limit}`);
  }
}

/**
 * For axis `row`, returns the last row with a value or formula in the columns from `first` to `last`. For axis `col`,
 * returns the last such column in the rows from `first` to `last`. Returns -1 if these are all empty.
 */
export function lastWithin(
  sheet: IndexedSheet,
  axis: 'row' | 'col',
  { first, last }: { first: number; last: number },
): number {
  let found = -1;
  for (const band of sheet.cells.bands) {
    band.chunks.forEach((chunk, col) => {
      if (!chunk || (axis === 'row' && (col < first || col > last))) return;
      for (let i = chunk.rows - 1; i >= 0; i--) {
        const row = band.start + i;
        if (axis === 'col' && (row < first || row > last)) continue;
        if (chunk.tags[i] === 0 && (chunk.formulas?.[i] ?? 0) === 0) continue;
        found = Math.max(found, axis === 'row' ? row : col);
        break;
      }
    });
  }
  return found;
}

function shiftCells(sheet: IndexedSheet, edit: StructuralEdit): void {
  const { cells } = sheet;
  const { change, axis, within } = edit;
  if (within) {
    shiftBlock(cells, axis, change, within);
    return;
  }
  if (axis === 'row') {
    if (change.kind === 'insert') insertRows(cells, change.at, change.count);
    else if (change.kind === 'delete') deleteRows(cells, change.at, change.count);
    else moveRows(cells, change.from, change.count, change.to);
  } else if (change.kind === 'insert') insertCols(cells, change.at, change.count);
  else if (change.kind === 'delete') deleteCols(cells, change.at, change.count);
  else moveCols(cells, change.from, change.count, change.to);
}

/**
 * Replaces every reference in formulas and defined names for which `change` returns a different one. Returns the
 * rewritten formulas.
 */
export function replaceRefs(workbook: WorkbookCore, change: (ref: RefPart) => RefPart): RewrittenFormulas[] {
  const { graph, templates } = workbook;
  const changes = new Map<Pattern, PatternPart[] | undefined>();
  const rewritten: RewrittenFormulas[] = [];
  graph.eachGroup((group) => {
    const { pattern, col, top, bottom } = group;
    if (!changes.has(pattern)) {
      let changed = false;
      const parts = pattern.parts.map((part) => {
        if (!isRef(part)) return part;
        const next = change(part);
        if (next !== part) changed = true;
        return next;
      });
      changes.set(pattern, changed ? parts : undefined);
    }
    if (changes.get(pattern)) rewritten.push({ sheet: group.sheet.id, col, top, bottom, before: pattern });
  });
  for (const { sheet: id, col, top, bottom, before } of rewritten) {
    const sheet = workbook.need(id);
    const pattern = templates.patternOf(changes.get(before) ?? before.parts, top, col, before.mode);
    writePattern(sheet, col, top, bottom, pattern, templates);
    graph.touch(sheet, col, top, bottom);
  }
  graph.flush();
  if (workbook.names.rewrite(change)) scheduleNameUsers(workbook);
  return rewritten;
}

/**
 * Schedules the recalculation of all formulas that use defined names. Called after the definition of a name changed.
 */
function scheduleNameUsers(workbook: WorkbookCore): void {
  const { graph } = workbook;
  graph.invalidateNames();
  graph.eachGroup((group) => {
    if (group.pattern.names.length > 0) graph.markDue(group.sheet, group.col, group.top, group.bottom);
  });
}
