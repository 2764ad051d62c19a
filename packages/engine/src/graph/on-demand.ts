import type { Budget } from '../base/budget.ts';
import type { Group } from './group.ts';

export interface Cell {
  readonly group: Group;
  readonly row: number;
}

/** A formula reads cells that are still to be computed. */
export class Need {
  /** Not begun at all. */
  readonly groups: readonly Group[];
  /** Cells of groups that are computed on demand. */
  readonly cells: readonly Cell[];
  readonly circular: boolean;
  /** Where on the stack the lowest cell waits that this one would have to wait for; -1 when it waits elsewhere. */
  readonly waiting: number;

  constructor(groups: readonly Group[], cells: readonly Cell[], circular: boolean, waiting: number) {
    this.groups = groups;
    this.cells = cells;
    this.circular = circular;
    this.waiting = waiting;
  }
}

/** What becomes of a cell; `compute` throws Need. */
export interface CellWork {
  compute(group: Group, row: number): void;
  circular(group: Group, row: number): void;
  /** Computes whole groups first; false when they cannot be. */
  first(groups: readonly Group[]): boolean;
}

const untouched = 0;
const finished = -1;
const maxPushed = 10_000;

/**
 * Computes cells in the order in which they ask for each other, without recursion: whatever a cell reads goes first. Cells
 * that wait for each other in a circle are circular, and only those: what no formula reads keeps nobody waiting.
 */
export class OnDemand {
  readonly #work: CellWork;
  readonly #budget: Budget;
  /** For each dirty row of a group: untouched, finished, or its place on the stack counted from 1. */
  readonly #states = new Map<Group, Int32Array>();
  /** Shared by calls within calls: a cell may wait for one that waits further out. */
  readonly #stack: Cell[] = [];

  constructor(work: CellWork, budget: Budget) {
    this.#work = work;
    this.#budget = budget;
  }

  /** Computes these cells, or all dirty rows of the groups; other rows of the groups count as finished. */
  run(groups: readonly Group[], cells?: readonly Cell[]): void {
    const own = groups.filter((group) => !this.#states.has(group));
    for (const group of own)
      this.#states.set(
        group,
        new Int32Array(group.dirtyBottom - group.dirtyTop + 1).fill(cells ? finished : untouched),
      );
    if (cells) {
      for (const { group, row } of cells) this.#states.get(group)![row - group.dirtyTop] = untouched;
      // The same order whatever was edited: what a circle shows must not depend on where the search began.
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

  #finish(start: Cell): void {
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
        if (!(error instanceof Need)) throw error;
        this.#wait(error);
      }
    }
  }

  /** What is not begun goes first, even where the cell waits for itself: the circle may be larger than that. */
  #wait({ groups, cells, waiting }: Need): void {
    const top = this.#stack.length - 1;
    if (groups.length > 0) {
      if (!this.#work.first(groups)) this.#close(top);
    } else if (cells.length > 0) this.#stack.push(...cells.slice(0, maxPushed));
    else this.#close(waiting < 0 ? top : waiting);
  }

  /** Every cell that waits from this place on is part of the circle. */
  #close(from: number): void {
    for (let place = from; place < this.#stack.length; place++) {
      const { group, row } = this.#stack[place]!;
      const states = this.#states.get(group)!;
      if (states[row - group.dirtyTop] !== place + 1) continue;
      this.#work.circular(group, row);
      states[row - group.dirtyTop] = finished;
    }
  }

  /** Unfinished cells of a group between two rows; undefined when the group is computed otherwise. */
  unfinished(group: Group, top: number, bottom: number): { cells: Cell[]; waiting: number } | undefined {
    const states = this.#states.get(group);
    if (!states) return undefined;
    const cells: Cell[] = [];
    let waiting = Infinity;
    for (let row = top; row <= bottom; row++) {
      const state = states[row - group.dirtyTop]!;
      if (state === untouched) cells.push({ group, row });
      else if (state !== finished) waiting = Math.min(waiting, state - 1);
    }
    return { cells, waiting };
  }
}
