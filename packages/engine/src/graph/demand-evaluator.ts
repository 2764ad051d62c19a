import type { Budget } from '../base/budget.ts';
import type { FormulaGroup } from './formula-group.ts';

export interface FormulaCell {
  readonly group: FormulaGroup;
  readonly row: number;
}

/** Thrown when a formula reads cells that are not calculated yet. */
export class PendingReads {
  /** Formula groups that the formula reads and whose calculation has not started. */
  readonly groups: readonly FormulaGroup[];
  /**
   * Cells that the formula reads and that are not calculated yet. They belong to formula groups that are calculated
   * cell by cell on demand.
   */
  readonly cells: readonly FormulaCell[];
  readonly circular: boolean;
  /**
   * Lowest stack position of those cells that the formula reads and that are themselves waiting for other cells, which
   * means a cycle; -1 if there are none.
   */
  readonly waiting: number;

  constructor(groups: readonly FormulaGroup[], cells: readonly FormulaCell[], circular: boolean, waiting: number) {
    this.groups = groups;
    this.cells = cells;
    this.circular = circular;
    this.waiting = waiting;
  }
}

/**
 * Callbacks that calculate cells. `compute` calculates one; it throws PendingReads if the formula reads cells that are
 * not calculated yet. `circular` reports that a cell depends on itself.
 */
export interface CellCallbacks {
  compute(group: FormulaGroup, row: number): void;
  circular(group: FormulaGroup, row: number): void;
  /**
   * Calculates whole formula groups before the cell that needs them. Returns false if one of them is already being
   * calculated, or if too many such calls are nested.
   */
  computeFirst(groups: readonly FormulaGroup[]): boolean;
}

const untouched = 0;
const finished = -1;
const maxPushed = 10_000;

/**
 * Calculates cells on demand without recursion: the cells that a formula reads are pushed on a stack and calculated
 * first. A cell is circular only if its calculation waits for itself. A reference that is never read, for example in a
 * branch of IF that is not taken, does not count.
 */
export class DemandEvaluator {
  readonly #work: CellCallbacks;
  readonly #budget: Budget;
  /**
   * State of each dirty row of a formula group: `untouched`, `finished`, or the one-based position of its cell on the
   * stack.
   */
  readonly #states = new Map<FormulaGroup, Int32Array>();
  /** Stack of waiting cells. Nested `run` calls share it, because a cell may wait for a cell of an outer call. */
  readonly #stack: FormulaCell[] = [];

  constructor(work: CellCallbacks, budget: Budget) {
    this.#work = work;
    this.#budget = budget;
  }

  /**
   * Calculates `cells`, or all dirty rows of the formula groups if `cells` is absent. With `cells`, the other rows of
   * the groups are taken as already calculated.
   */
  run(groups: readonly FormulaGroup[], cells?: readonly FormulaCell[]): void {
    const own = groups.filter((group) => !this.#states.has(group));
    for (const group of own)
      this.#states.set(
        group,
        new Int32Array(group.dirtyBottom - group.dirtyTop + 1).fill(cells ? finished : untouched),
      );
    if (cells) {
      for (const { group, row } of cells) this.#states.get(group)![row - group.dirtyTop] = untouched;
      // Cells are calculated in a fixed order, so that the result of a cycle does not depend on which cell was edited.
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

  /**
   * Handles unfinished reads of the top cell of the stack: calculates the formula groups that it needs, or else pushes
   * the cells that it needs on the stack. If neither is possible, the cell is part of a cycle.
   */
  #wait({ groups, cells, waiting }: PendingReads): void {
    const top = this.#stack.length - 1;
    if (groups.length > 0) {
      if (!this.#work.computeFirst(groups)) this.#close(top);
    } else if (cells.length > 0) this.#stack.push(...cells.slice(0, maxPushed));
    else this.#close(waiting < 0 ? top : waiting);
  }

  /**
   * Marks the cells of a cycle as circular: those on the stack from position `from` upwards whose calculation has
   * started and waits for another cell.
   */
  #close(from: number): void {
    for (let place = from; place < this.#stack.length; place++) {
      const { group, row } = this.#stack[place]!;
      const states = this.#states.get(group)!;
      if (states[row - group.dirtyTop] !== place + 1) continue;
      this.#work.circular(group, row);
      states[row - group.dirtyTop] = finished;
    }
  }

  /**
   * Returns the cells of rows `top` to `bottom` whose calculation has not started. `waiting` is the lowest stack
   * position of the cells in these rows that wait for other cells, or Infinity if there are none. Returns undefined if
   * the group is not calculated on demand.
   */
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
