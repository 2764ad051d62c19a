import type { Budget } from '../base/budget.ts';
import type { FormulaGroup } from './formula-group.ts';

export interface FormulaCell {
  readonly group: FormulaGroup;
  readonly row: number;
}

/** Thrown when a formula reads cells that are not calculated yet. */
export class PendingReads {
  /** Groups whose calculation has not started. */
  readonly groups: readonly FormulaGroup[];
  /** Cells of groups that are calculated on demand. */
  readonly cells: readonly FormulaCell[];
  readonly circular: boolean;
  /** Stack position of the lowest waiting cell that this cell would wait for; -1 if it is not on this stack. */
  readonly waiting: number;

  constructor(groups: readonly FormulaGroup[], cells: readonly FormulaCell[], circular: boolean, waiting: number) {
    this.groups = groups;
    this.cells = cells;
    this.circular = circular;
    this.waiting = waiting;
  }
}

/** Callbacks for one cell; `compute` throws PendingReads. */
export interface CellCallbacks {
  compute(group: FormulaGroup, row: number): void;
  circular(group: FormulaGroup, row: number): void;
  /** Calculates whole groups first; returns false if that is not possible. */
  computeFirst(groups: readonly FormulaGroup[]): boolean;
}

const untouched = 0;
const finished = -1;
const maxPushed = 10_000;

/**
 * Calculates cells on demand without recursion: the cells that a formula reads are calculated first. Only cells that
 * wait for each other in a cycle are circular; a reference that is not read does not count.
 */
export class DemandEvaluator {
  readonly #work: CellCallbacks;
  readonly #budget: Budget;
  /** For each dirty row of a group: untouched, finished, or its one-based position on the stack. */
  readonly #states = new Map<FormulaGroup, Int32Array>();
  /** Shared by nested `run` calls, because a cell may wait for one in an outer call. */
  readonly #stack: FormulaCell[] = [];

  constructor(work: CellCallbacks, budget: Budget) {
    this.#work = work;
    this.#budget = budget;
  }

  /** Calculates `cells` (other rows of the groups count as finished), or all dirty rows of the groups. */
  run(groups: readonly FormulaGroup[], cells?: readonly FormulaCell[]): void {
    const own = groups.filter((group) => !this.#states.has(group));
    for (const group of own)
      this.#states.set(
        group,
        new Int32Array(group.dirtyBottom - group.dirtyTop + 1).fill(cells ? finished : untouched),
      );
    if (cells) {
      for (const { group, row } of cells) this.#states.get(group)![row - group.dirtyTop] = untouched;
      // Sorted, so that the result of a cycle does not depend on which cell was edited.
      const inOrder = cells.toSorted(
        (a, b) => a.group.sheet.id - b.group.sheet.id || a.row - b.row || a.group.col - b.group.col,
      );
      for (const cell of inOrder) this.#finish(cell);
    } else {
      for (const group of groups)
        for (let row = group.dirtyTop; row <= group.dirtyBottom; row++) this.#finish({ group, row });
    }
    for (const group of own) this.#states.delete(group);
  }

  #finish(start: FormulaCell): void {
    const stack = this.#stack;
    const base = stack.length;
    stack.push(start);
    while (stack.length > base) {
      const { group, row } = stack[stack.length - 1]!;
      const states = this.#states.get(group)!;
      const at = row - group.dirtyTop;
      if (states[at] === finished) {
        stack.pop();
        continue;
      }
      states[at] = stack.length;
      this.#budget.spend(group.pattern.weight);
      try {
        this.#work.compute(group, row);
        states[at] = finished;
      } catch (error) {
        if (!(error instanceof PendingReads)) throw error;
        this.#wait(error);
      }
    }
  }

  /** Groups not yet started are calculated first, even if the cell waits for itself, because the cycle may include them. */
  #wait({ groups, cells, waiting }: PendingReads): void {
    const top = this.#stack.length - 1;
    if (groups.length > 0) {
      if (!this.#work.computeFirst(groups)) this.#close(top);
    } else if (cells.length > 0) this.#stack.push(...cells.slice(0, maxPushed));
    else this.#close(waiting < 0 ? top : waiting);
  }

  /** Marks every cell that waits from this stack position on as part of the cycle. */
  #close(from: number): void {
    for (let place = from; place < this.#stack.length; place++) {
      const { group, row } = this.#stack[place]!;
      const states = this.#states.get(group)!;
      if (states[row - group.dirtyTop] !== place + 1) continue;
      this.#work.circular(group, row);
      states[row - group.dirtyTop] = finished;
    }
  }

  /** Unfinished cells of a group between two rows; undefined if the group is not calculated on demand. */
  unfinished(group: FormulaGroup, top: number, bottom: number): { cells: FormulaCell[]; waiting: number } | undefined {
    const states = this.#states.get(group);
    if (!states) return undefined;
    const cells: FormulaCell[] = [];
    let waiting = Infinity;
    for (let row = top; row <= bottom; row++) {
      const state = states[row - group.dirtyTop]!;
      if (state === untouched) cells.push({ group, row });
      else if (state !== finished) waiting = Math.min(waiting, state - 1);
    }
    return { cells, waiting };
  }
}
