import type { Budget } from '../base/budget.ts';
import type { DependencyGraph } from './dependency-graph.ts';
import { coveredRect, type FormulaGroup } from './formula-group.ts';
import type { FormulaCell } from './demand-evaluator.ts';

/**
 * Calculates mutually dependent formula groups cell by cell, when they cannot be calculated row by row. Each strongly
 * connected component of cells is calculated after the components that it refers to. Cells that refer to themselves or
 * to each other are passed to `circle`.
 */
export function computeCellComponents(
  graph: DependencyGraph,
  members: readonly FormulaGroup[],
  budget: Budget,
  compute: (group: FormulaGroup, row: number) => void,
  circle: (cells: readonly FormulaCell[]) => void,
): void {
  const bases: number[] = [];
  let total = 0;
  for (const group of members) {
    bases.push(total);
    total += group.dirtyBottom - group.dirtyTop + 1;
  }
  budget.spend(total);
  const order = new Int32Array(total).fill(-1);
  const low = new Int32Array(total);
  const finished = new Uint8Array(total);
  let counter = 0;

  const memberOf = (id: number): number => {
    let lowest = 0;
    let highest = bases.length - 1;
    while (lowest < highest) {
      const middle = (lowest + highest + 1) >>> 1;
      if ((bases[middle] as number) <= id) lowest = middle;
      else highest = middle - 1;
    }
    return lowest;
  };

  /**
   * Returns the ids of the unfinished cells to which the cell `id` refers. The dirty cells of all `members` are
   * numbered in sequence; a cell's number is its id.
   */
  const reads = (id: number): number[] => {
    const m = memberOf(id);
    const group = members[m] as FormulaGroup;
    const row = group.dirtyTop + id - (bases[m] as number);
    const found: number[] = [];
    for (const ref of graph.readsOf(group.pattern, group.sheet.id)) {
      const sheets = graph.sheetsOf(ref, group.sheet);
      const rect = coveredRect(group, ref, row, row);
      for (let o = 0; o < members.length; o++) {
        const other = members[o] as FormulaGroup;
        if (!sheets.includes(other.sheet) || rect.left > other.col || rect.right < other.col) continue;
        const top = Math.max(rect.top, other.dirtyTop);
        const bottom = Math.min(rect.bottom, other.dirtyBottom);
        const base = (bases[o] as number) - other.dirtyTop;
        for (let at = top; at <= bottom; at++) if (finished[base + at] === 0) found.push(base + at);
        if (bottom > top) budget.spend(bottom - top);
      }
    }
    return found;
  };

  const path: number[] = [];
  const frames: { id: number; reads: number[]; next: number; itself: boolean }[] = [];
  const open = (id: number): void => {
    order[id] = counter;
    low[id] = counter++;
    path.push(id);
    const list = reads(id);
    frames.push({ id, reads: list, next: 0, itself: list.includes(id) });
  };

  for (let root = 0; root < total; root++) {
    if (finished[root] !== 0) continue;
    open(root);
    for (let frame = frames[frames.length - 1]; frame; frame = frames[frames.length - 1]) {
      const { id } = frame;
      const next = frame.reads[frame.next];
      if (next !== undefined) {
        frame.next++;
        if (finished[next] !== 0) continue;
        if ((order[next] as number) < 0) open(next);
        else low[id] = Math.min(low[id] as number, order[next] as number);
        continue;
      }
      frames.pop();
      const parent = frames[frames.length - 1];
      if (parent) low[parent.id] = Math.min(low[parent.id] as number, low[id] as number);
      if (low[id] !== order[id]) continue;
      const component: number[] = [];
      for (let cell = path.pop(); cell !== undefined; cell = path.pop()) {
        component.push(cell);
        finished[cell] = 1;
        if (cell === id) break;
      }
      const cells = component.map((cell): FormulaCell => {
        const m = memberOf(cell);
        const group = members[m] as FormulaGroup;
        return { group, row: group.dirtyTop + cell - (bases[m] as number) };
      });
      if (cells.length > 1 || frame.itself) circle(cells);
      else for (const { group, row } of cells) compute(group, row);
    }
  }
}
