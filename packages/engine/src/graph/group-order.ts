import type { RefPart } from '../formula/reference.ts';
import type { DependencyGraph } from './dependency-graph.ts';
import { coveredRect, type FormulaGroup } from './formula-group.ts';

export type Direction = 'none' | 'up' | 'down' | 'mixed';

/**
 * Returns in which direction a group's dirty rows read other rows of the same group: only up, only down, or none.
 * `mixed` means any other case, for example both directions or an absolute range.
 */
export function selfReferenceDirection(graph: DependencyGraph, group: FormulaGroup): Direction {
  let direction: Direction = 'none';
  const refs = graph.readsOf(group.pattern, group.sheet.id);
  // Uses an indexed loop, because every edit runs this code and `for...of` is slower in code that is not yet optimized.
  for (let i = 0; i < refs.length; i++) {
    const ref = refs[i] as RefPart;
    if (ref.shape === 'lost') continue;
    if (ref.sheet !== undefined && !graph.sheetsOf(ref, group.sheet).includes(group.sheet)) continue;
    const rect = coveredRect(group, ref, group.dirtyTop, group.dirtyBottom);
    if (rect.left > group.col || rect.right < group.col) continue;
    if (rect.top > group.dirtyBottom || rect.bottom < group.dirtyTop) continue;
    const up = !ref.bottomAbs && ref.bottom < 0;
    const down = !ref.topAbs && ref.top > 0;
    const one: Direction = up ? 'up' : down ? 'down' : 'mixed';
    if (direction === 'none') direction = one;
    else if (direction !== one) return 'mixed';
  }
  return direction;
}

/**
 * Returns an order in which the formula groups can be calculated together, row by row. Returns undefined if no such
 * order is found, for example because a group reads rows below its own, or because groups read each other in the same
 * row.
 */
export function groupOrderWithinRow(
  graph: DependencyGraph,
  members: readonly FormulaGroup[],
): FormulaGroup[] | undefined {
  const sameRow = new Map<FormulaGroup, FormulaGroup[]>();
  for (const group of members) {
    const before: FormulaGroup[] = [];
    for (const ref of graph.readsOf(group.pattern, group.sheet.id)) {
      const sheets = graph.sheetsOf(ref, group.sheet);
      const rect = coveredRect(group, ref, group.dirtyTop, group.dirtyBottom);
      for (const other of members) {
        if (!sheets.includes(other.sheet) || rect.left > other.col || rect.right < other.col) continue;
        if (rect.top > other.dirtyBottom || rect.bottom < other.dirtyTop) continue;
        if (ref.bottomAbs || ref.bottom > 0 || group.pattern.hasDynamicRefs) return undefined;
        if (ref.bottom === 0) before.push(other);
      }
    }
    sameRow.set(group, before);
  }
  const ordered: FormulaGroup[] = [];
  const state = new Map<FormulaGroup, 1 | 2>();
  const visit = (group: FormulaGroup, depth: number): boolean => {
    const known = state.get(group);
    if (known) return known === 2;
    if (depth > 500) return false;
    state.set(group, 1);
    for (const other of sameRow.get(group) ?? []) if (!visit(other, depth + 1)) return false;
    state.set(group, 2);
    ordered.push(group);
    return true;
  };
  return members.every((group) => visit(group, 0)) ? ordered : undefined;
}
