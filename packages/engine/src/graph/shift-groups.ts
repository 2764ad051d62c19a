import { breakpoints, rewriteRef, type StructuralEdit } from '../formula/rewrite-reference.ts';
import { mapPosition } from '../base/axis-change.ts';
import { isRef } from '../formula/token.ts';
import type { Pattern } from '../formula/formula-pattern.ts';
import type { Templates } from '../formula/formula-template.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { coveredRect, type FormulaGroup } from './formula-group.ts';

/** Consecutive cells of a formula group at their positions after rows or columns were inserted, deleted or moved. */
export interface ShiftedRun {
  readonly col: number;
  readonly top: number;
  readonly bottom: number;
  readonly pattern: Pattern;
  /** The original formula group if the formulas keep its pattern; undefined if their references were rewritten. */
  readonly group: FormulaGroup | undefined;
  readonly before: Pattern;
  /** True if the values of these rows may have changed, so that the rows must be recalculated. */
  readonly due: boolean;
}

interface Outcome {
  readonly pattern: Pattern;
  readonly due: boolean;
  readonly row: number;
  readonly col: number;
}

/**
 * Returns the runs of consecutive cells into which a formula group is split when rows, columns or cells are inserted,
 * deleted or moved. The runs have their new positions and rewritten references.
 */
export function shiftGroup(group: FormulaGroup, edit: StructuralEdit, templates: Templates): ShiftedRun[] {
  const own = group.sheet.id === edit.sheet;
  const shift = uniformShift(group, edit, own);
  if (shift !== undefined) {
    const { pattern, col, top, bottom } = group;
    return [
      { col, top: top + shift, bottom: bottom + shift, pattern, group, before: pattern, due: pattern.positional },
    ];
  }
  const { axis, change, within } = edit;
  const strip = within && axis === 'col' ? [within.first, within.last + 1] : [];
  const points = axis === 'row' ? breakpoints(change) : strip;
  const cuts = new Set<number>();
  const cut = (row: number): void => {
    if (row > group.top && row <= group.bottom) cuts.add(row);
  };
  for (const point of points) {
    if (own) cut(point);
    for (const ref of group.pattern.refs) {
      if (!ref.topAbs) {
        cut(point - ref.top);
        cut(point - ref.top + 1);
      }
      if (!ref.bottomAbs) {
        cut(point - ref.bottom);
        cut(point - ref.bottom + 1);
      }
    }
  }
  const starts = [group.top, ...[...cuts].toSorted((a, b) => a - b)];
  const runs: ShiftedRun[] = [];
  starts.forEach((start, i) => {
    const end = (starts[i + 1] ?? group.bottom + 1) - 1;
    spread(start, end);
  });
  return runs;

  /**
   * Adds the runs for rows `[first, last]`; the rows of a run get the same pattern and move together. The distance by
   * which rows move changes monotonically, so if the first and the last row get the same pattern and move by the same
   * distance, all rows between them do too. Otherwise the range is split in half.
   */
  function spread(first: number, last: number): void {
    const a = outcome(first);
    const b = first === last ? a : outcome(last);
    if (a === undefined && b === undefined) return;
    if (a && b && a.pattern === b.pattern && b.row - a.row === last - first && a.col === b.col) {
      const { pattern } = a;
      const previous = runs[runs.length - 1];
      if (
        previous &&
        previous.pattern === pattern &&
        previous.bottom === a.row - 1 &&
        previous.col === a.col &&
        previous.due === a.due
      ) {
        runs[runs.length - 1] = { ...previous, bottom: b.row };
      } else {
        const same = pattern === group.pattern ? group : undefined;
        runs.push({ col: a.col, top: a.row, bottom: b.row, pattern, group: same, before: group.pattern, due: a.due });
      }
      return;
    }
    const middle = (first + last) >>> 1;
    spread(first, middle);
    spread(middle + 1, last);
  }

  function outcome(row: number): Outcome | undefined {
    const place = own ? mapCell(edit, row, group.col) : { row, col: group.col };
    if (!place) return undefined;
    return {
      ...rewritePattern(group.pattern, group.sheet.id, { row, col: group.col }, place, edit, templates),
      ...place,
    };
  }
}

/** Returns the new position of a cell of the edited sub-sheet; undefined if the cell is deleted. */
export function mapCell(edit: StructuralEdit, row: number, col: number): { row: number; col: number } | undefined {
  const { axis, change, within } = edit;
  const cross = axis === 'row' ? col : row;
  if (within && (cross < within.first || cross > within.last)) return { row, col };
  const moved = mapPosition(change, axis === 'row' ? row : col);
  if (moved === undefined) return undefined;
  return axis === 'row' ? { row: moved, col } : { row, col: moved };
}

export function rewritePattern(
  pattern: Pattern,
  sheet: number,
  from: { row: number; col: number },
  to: { row: number; col: number },
  edit: StructuralEdit,
  templates: Templates,
): { pattern: Pattern; due: boolean } {
  let due = pattern.positional;
  let changed = false;
  const parts = pattern.parts.map((part) => {
    if (!isRef(part)) return part;
    const { ref, resized } = rewriteRef(part, sheet, from, to, edit);
    if (resized) due = true;
    if (
      ref.shape !== part.shape ||
      ref.top !== part.top ||
      ref.left !== part.left ||
      ref.bottom !== part.bottom ||
      ref.right !== part.right
    )
      changed = true;
    return ref;
  });
  return { pattern: changed ? templates.patternOf(parts, to.row, to.col, pattern.mode) : pattern, due };
}

/**
 * Fast path for formula groups whose references need no rewriting: the edit leaves the group and all cells that it
 * refers to in place, or moves them together. Returns the number of rows to shift the group by; undefined if the
 * references must be rewritten.
 */
function uniformShift(group: FormulaGroup, edit: StructuralEdit, own: boolean): number | undefined {
  const { axis, change, within } = edit;
  const elsewhere = group.pattern.refs.every(
    (ref) => ref.sheet !== undefined && ref.sheet !== edit.sheet && ref.lastSheet === undefined,
  );
  if (!own && (elsewhere || group.pattern.refs.every((ref) => ref.sheet !== edit.sheet && ref.lastSheet === undefined)))
    return 0;
  if (axis !== 'row' || within || change.kind === 'move') return undefined;
  const after = change.kind === 'insert' ? change.at : change.at + change.count;
  const shift = change.kind === 'insert' ? change.count : -change.count;
  const above = !own || group.bottom < change.at;
  const below = own && group.top >= after;
  if (!above && !below) return undefined;
  for (const ref of group.pattern.refs) {
    if (ref.shape === 'cols') return undefined;
    const rect = coveredRect(group, ref, group.top, group.bottom);
    const here = ref.lastSheet === undefined && (ref.sheet === undefined ? own : ref.sheet === edit.sheet);
    if (above) {
      if (here && rect.bottom >= change.at) return undefined;
    } else {
      // Shifting all formulas of the group at once is correct only if each reference moves together with its formula.
      if (!here || ref.topAbs || ref.bottomAbs || rect.top < after) return undefined;
    }
  }
  return below ? shift : 0;
}

/** Writes the rewritten formula pattern of each run to its cells. Each cell keeps the constants of its formula. */
export function writePatterns(sheet: IndexedSheet, runs: readonly ShiftedRun[], templates: Templates): void {
  for (const run of runs) {
    if (run.pattern !== run.before) writePattern(sheet, run.col, run.top, run.bottom, run.pattern, templates);
  }
}

export function writePattern(
  sheet: IndexedSheet,
  col: number,
  top: number,
  bottom: number,
  pattern: Pattern,
  templates: Templates,
): void {
  let lastId = 0;
  let lastNext = 0;
  sheet.cells.eachPiece(col, top, bottom, (chunk, from, to) => {
    const ids = chunk.formulas;
    if (!ids) return;
    for (let i = from; i <= to; i++) {
      const id = ids[i] as number;
      if (id !== lastId) {
        const template = templates.get(id);
        if (!template) continue;
        lastId = id;
        lastNext = templates.with(pattern, template.constants, template.texts).id;
      }
      ids[i] = lastNext;
    }
  });
}
