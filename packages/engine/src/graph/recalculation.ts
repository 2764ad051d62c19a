import { Evaluation } from '../formula/evaluation-context.ts';
import { ReadTrackingHost } from '../formula/read-tracking-host.ts';
import type { Rect } from '../base/address.ts';
import type { Budget } from '../base/budget.ts';
import { cellErrors } from '../base/values.ts';
import { computeCellComponents } from './strongly-connected-cells.ts';
import type { DirtySet } from './dirty-set.ts';
import type { DependencyGraph } from './dependency-graph.ts';
import type { RefPart } from '../formula/reference.ts';
import { activeState, doneState, pendingState, coveredRect, type FormulaGroup } from './formula-group.ts';
import { iterateCycle, type Iteration } from './iterative-calculation.ts';
import { kernelOf } from './arithmetic-kernel.ts';
import { PendingReads, DemandEvaluator, type FormulaCell } from './demand-evaluator.ts';
import { groupOrderWithinRow, selfReferenceDirection } from './group-order.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import type { Spills } from './spills.ts';
import type { GroupCalculator } from './group-calculator.ts';

const maxNested = 200;
/** Maximum recalculation rounds. Spilled arrays that still change after this many rounds are treated as circular. */
const maxRounds = 32;
/**
 * If at most this many formula groups are dirty, those that a formula reads are found by testing each of them. With
 * more groups, looking up formulas by position is faster.
 */
const fewGroups = 8;

interface Frame {
  readonly group: FormulaGroup;
  readonly reads: readonly FormulaGroup[];
  next: number;
}

/**
 * One recalculation: calculates the formula groups (runs of equal formulas in a column) that are marked as dirty, in
 * dependency order. Groups that depend on each other are calculated row by row or cell by cell. Hot loops use an index,
 * because `for...of` is several times slower in code that is not yet optimized.
 */
export class Recalculation {
  readonly #graph: DependencyGraph;
  readonly #dirty: DirtySet;
  readonly #spills: Spills;
  readonly #writer: GroupCalculator;
  #budget: Budget;
  #counter = 0;
  #nested = 0;
  #demanded: DemandEvaluator | undefined;
  #iteration: Iteration | undefined;
  /** Number of cells found so far that depend on their own value. */
  #circular = 0;

  constructor(graph: DependencyGraph, dirty: DirtySet, spills: Spills, writer: GroupCalculator, ev: Evaluation) {
    this.#graph = graph;
    this.#dirty = dirty;
    this.#spills = spills;
    this.#writer = writer;
    this.#budget = ev.budget;
    const demand = (sheet: number, top: number, left: number, bottom: number, right: number): void =>
      this.#demand(sheet, top, left, bottom, right);
    ev.onDynamic = (range) => demand(range.sheet.id, range.top, range.left, range.bottom, range.right);
    writer.createExactEvaluation = () =>
      new Evaluation(new ReadTrackingHost(ev.host, demand), ev.sheet, ev.budget, ev.now, ev.random);
  }

  /** Evaluator that calculates cells on demand. It is created lazily, because few recalculations need it. */
  get #onDemand(): DemandEvaluator {
    this.#demanded ??= new DemandEvaluator(
      {
        compute: (group, row) => this.#writer.compute(group, row, true),
        circular: (group, row) => {
          this.#circular++;
          this.#writer.store(group, row, cellErrors.circular);
        },
        computeFirst: (groups) => this.#first(groups),
      },
      this.#budget,
    );
    return this.#demanded;
  }

  run(budget: Budget, iteration: Iteration | undefined): void {
    this.#budget = budget;
    this.#iteration = iteration;
    this.#counter = 0;
    this.#demanded = undefined;
    for (let round = 0; ; round++) {
      // Formulas with dynamic references (INDIRECT, OFFSET) come last, when most cells that they may read are
      // calculated.
      const { groups } = this.#dirty;
      let hasDynamic = false;
      for (let i = 0; i < groups.length; i++) {
        const group = groups[i] as FormulaGroup;
        if (group.state !== pendingState) continue;
        if (group.pattern.hasDynamicRefs) hasDynamic = true;
        else this.#solve(group);
      }
      if (hasDynamic) for (const group of groups) if (group.state === pendingState) this.#solve(group);
      if (this.#writer.changedSpills.length === 0 && this.#writer.evicted.length === 0) return;
      const moved = this.#writer.changedSpills.splice(0);
      const evicted = this.#writer.evicted.splice(0);
      this.#dirty.clear();
      if (round >= maxRounds) for (const { group } of moved) this.#writer.unstable.add(group);
      for (const { group, area } of moved) {
        this.#dirty.changed(group.sheet, area.top, area.left, area.bottom, area.right);
        // Recalculate the arrays that were blocked by cells of this area, because they may fit now.
        for (const anchor of this.#spills.blockedBy(group.sheet.id, area))
          this.#mark(group.sheet, anchor.row, anchor.col);
      }
      for (const { sheet, row, col } of evicted) this.#mark(sheet, row, col);
      this.#dirty.drain();
    }
  }

  #mark(sheet: IndexedSheet, row: number, col: number): void {
    const group = this.#graph.maps.get(sheet.id)?.at(row, col);
    if (group) this.#dirty.mark(group, row, row);
  }

  /**
   * Calculates a formula group and the groups that it reads, by Tarjan's algorithm without recursion: each strongly
   * connected component (groups that depend on each other) is calculated after the components that it reads.
   */
  #solve(root: FormulaGroup): void {
    const path: FormulaGroup[] = [];
    const session = this.#counter;
    const frames: Frame[] = [this.#open(root, path)];
    for (let frame = frames[frames.length - 1]; frame; frame = frames[frames.length - 1]) {
      const { group } = frame;
      const next = frame.reads[frame.next];
      if (next) {
        frame.next++;
        if (next.state !== pendingState) continue;
        if (next.order < 0) frames.push(this.#open(next, path));
        // An outer `#solve` call is still calculating `next` and waits for this call, so `group` and `next` depend on
        // each other.
        else if (next.order < session) group.circular = true;
        else group.low = Math.min(group.low, next.order);
        continue;
      }
      frames.pop();
      const parent = frames[frames.length - 1]?.group;
      if (parent) parent.low = Math.min(parent.low, group.low);
      if (group.low !== group.order) continue;
      const members: FormulaGroup[] = [];
      for (let member = path.pop(); member; member = path.pop()) {
        members.push(member);
        if (member === group) break;
      }
      this.#component(members);
    }
  }

  #open(group: FormulaGroup, path: FormulaGroup[]): Frame {
    group.order = this.#counter++;
    group.low = group.order;
    path.push(group);
    return { group, reads: this.#reads(group), next: 0 };
  }

  /** Returns the formula groups that the dirty rows of `group` read and that are not calculated yet. */
  #reads(group: FormulaGroup): FormulaGroup[] {
    const found: FormulaGroup[] = [];
    const refs = this.#graph.readsOf(group.pattern, group.sheet.id);
    const isSmall = this.#dirty.groups.length <= fewGroups && !this.#spills.any(group.sheet.id);
    for (let i = 0; i < refs.length; i++) {
      const ref = refs[i] as RefPart;
      const rect = coveredRect(group, ref, group.dirtyTop, group.dirtyBottom);
      if (isSmall && ref.sheet === undefined && ref.shape !== 'lost') {
        this.#readsAmong(group, rect, found);
        continue;
      }
      const sheets = this.#graph.sheetsOf(ref, group.sheet);
      for (let j = 0; j < sheets.length; j++) {
        const sheet = sheets[j] as IndexedSheet;
        this.#graph.maps.get(sheet.id)?.eachIn(rect.top, rect.left, rect.bottom, rect.right, (other) => {
          if (
            other.state === pendingState &&
            other !== group &&
            other.dirtyTop <= rect.bottom &&
            other.dirtyBottom >= rect.top
          )
            found.push(other);
        });
        if (!this.#spills.any(sheet.id)) continue;
        for (const anchor of this.#spills.meeting(sheet.id, rect.top, rect.left, rect.bottom, rect.right)) {
          const other = this.#graph.maps.get(sheet.id)?.at(anchor.row, anchor.col);
          if (other && other !== group && other.state === pendingState) found.push(other);
        }
      }
    }
    if (found.length > 16) this.#budget.spend(found.length);
    return found;
  }

  /**
   * Adds to `found` the dirty formula groups that overlap a rectangle on the sub-sheet of `group`. With few dirty
   * groups, testing each one is faster than looking up formulas by position.
   */
  #readsAmong(group: FormulaGroup, { top, left, bottom, right }: Rect, found: FormulaGroup[]): void {
    const { groups } = this.#dirty;
    for (let i = 0; i < groups.length; i++) {
      const other = groups[i] as FormulaGroup;
      if (other === group || other.state !== pendingState || other.sheet !== group.sheet) continue;
      if (other.col < left || other.col > right || other.dirtyTop > bottom || other.dirtyBottom < top) continue;
      found.push(other);
    }
  }

  #component(members: FormulaGroup[]): void {
    let isCircular = false;
    for (let i = 0; i < members.length; i++) {
      const group = members[i] as FormulaGroup;
      isCircular ||= group.circular;
      this.#budget.spend((group.dirtyBottom - group.dirtyTop + 1) * group.pattern.weight);
      group.state = activeState;
      group.cursor = group.dirtyTop;
      this.#writer.begin(group);
    }
    const [only] = members;
    if (isCircular) {
      this.#circle(members);
      this.#report(members);
    } else if (only && members.length === 1) this.#single(only);
    else if (!this.#byRows(members)) this.#cellwise(members);
    for (let i = 0; i < members.length; i++) (members[i] as FormulaGroup).state = doneState;
  }

  #single(group: FormulaGroup): void {
    const direction = selfReferenceDirection(this.#graph, group);
    if (group.pattern.hasDynamicRefs) this.#circle([group]);
    else if (direction === 'mixed') {
      this.#cellwise([group]);
      return;
    } else if (direction === 'down') {
      for (let row = group.dirtyBottom; row >= group.dirtyTop; row--) this.#row(group, row);
    } else if (group.dirtyTop === group.dirtyBottom) this.#row(group, group.dirtyTop);
    else if (direction === 'none' && this.#inBlocks(group)) {
      this.#writer.computeBlocks(group, (row) => this.#row(group, row));
    } else this.#rowsFrom(group, group.dirtyTop);
    this.#writer.end(group);
  }

  /**
   * Returns whether the formula group can be calculated in blocks of rows: it must be plain arithmetic over more than
   * four rows, on a sub-sheet without spilled arrays.
   */
  #inBlocks(group: FormulaGroup): boolean {
    const { pattern, sheet, dirtyTop, dirtyBottom } = group;
    if (dirtyBottom - dirtyTop <= 3 || pattern.array || this.#spills.any(sheet.id)) return false;
    return kernelOf(pattern) !== null;
  }

  #rowsFrom(group: FormulaGroup, top: number): void {
    for (let row = top; row <= group.dirtyBottom; row = group.cursor + 1) {
      try {
        this.#writer.computeRun(group, row);
        return;
      } catch (error) {
        if (!(error instanceof PendingReads)) throw error;
        this.#row(group, group.cursor);
      }
    }
  }

  /**
   * Calculates the formula groups `members` together, row by row, if each row reads only rows above it and earlier
   * groups of the same row. Otherwise returns false without calculating anything.
   */
  #byRows(members: FormulaGroup[]): boolean {
    const ordered = groupOrderWithinRow(this.#graph, members);
    if (!ordered) return false;
    let top = Infinity;
    let bottom = -1;
    for (const group of ordered) {
      top = Math.min(top, group.dirtyTop);
      bottom = Math.max(bottom, group.dirtyBottom);
    }
    for (let row = top; row <= bottom; row++) {
      for (const group of ordered) {
        if (row < group.dirtyTop || row > group.dirtyBottom) continue;
        this.#row(group, row);
      }
    }
    this.#report(ordered);
    return true;
  }

  #cellwise(members: FormulaGroup[]): void {
    const circle = (cells: readonly FormulaCell[]): void => this.#circle(members, cells);
    computeCellComponents(this.#graph, members, this.#budget, (group, row) => this.#row(group, row), circle);
    this.#report(members);
  }

  /**
   * Calculates cells that may depend on each other: `cells`, or all dirty rows of the formula groups `members`.
   * Circular cells are iterated if the workbook enables iterative calculation.
   */
  #circle(members: readonly FormulaGroup[], cells?: readonly FormulaCell[]): void {
    const before = this.#circular;
    this.#onDemand.run(members, cells);
    if (!this.#iteration || this.#circular === before) return;
    iterateCycle(
      cells ?? members.flatMap(dirtyCells),
      this.#iteration,
      this.#budget,
      (group, row) => this.#again(group, row),
      (group, row) => this.#writer.store(group, row, 0),
    );
  }

  /** Recalculates one cell of a cycle from the current values of the other cells. */
  #again(group: FormulaGroup, row: number): void {
    for (;;) {
      try {
        this.#writer.compute(group, row);
        return;
      } catch (error) {
        if (!(error instanceof PendingReads)) throw error;
        if (error.groups.length > 0 && this.#first(error.groups)) continue;
        this.#writer.store(group, row, cellErrors.circular);
        return;
      }
    }
  }

  /**
   * Reports all dirty rows of the formula groups as changed. The groups were calculated together, so it is not known
   * which rows of which group changed.
   */
  #report(members: readonly FormulaGroup[]): void {
    for (const group of members) {
      this.#writer.markChanged(group.dirtyTop);
      this.#writer.markChanged(group.dirtyBottom);
      this.#writer.end(group);
    }
  }

  #row(group: FormulaGroup, row: number): void {
    // The cells that a dynamic reference (INDIRECT, OFFSET) reads are known only during evaluation. Whether such a
    // formula is part of a cycle is therefore found by tracking its actual reads (`exact`).
    let exact = group.pattern.hasDynamicRefs;
    for (;;) {
      try {
        group.cursor = row;
        this.#writer.compute(group, row, exact);
        return;
      } catch (error) {
        if (!(error instanceof PendingReads)) throw error;
        if (error.groups.length > 0 && this.#first(error.groups)) continue;
        if (exact) {
          this.#writer.store(group, row, cellErrors.circular);
          return;
        }
        exact = true;
      }
    }
  }

  /**
   * Calculates the given formula groups immediately, because a formula needs their values. Returns false if too many
   * such calls are nested, or if one of the groups is already being calculated.
   */
  #first(groups: readonly FormulaGroup[]): boolean {
    if (this.#nested >= maxNested || groups.some((group) => group.state === pendingState && group.order >= 0))
      return false;
    this.#nested++;
    for (const group of groups) {
      if (group.state === pendingState) this.#solve(group);
    }
    this.#nested--;
    return true;
  }

  /** Throws PendingReads if any cell of the range is not calculated yet. Called before a formula reads the range. */
  #demand(sheet: number, top: number, left: number, bottom: number, right: number): void {
    const needed: FormulaGroup[] = [];
    const cells: FormulaCell[] = [];
    let circular = false;
    let waiting = Infinity;
    const check = (group: FormulaGroup): void => {
      if (group.dirtyTop > bottom || group.dirtyBottom < top || group.dirtyBottom < group.dirtyTop) return;
      if (group.state === pendingState) needed.push(group);
      else if (group.state === activeState) {
        const last = Math.min(group.dirtyBottom, bottom);
        const found = this.#onDemand.unfinished(group, Math.max(group.dirtyTop, top), last);
        if (!found) circular ||= last >= group.cursor;
        else {
          cells.push(...found.cells);
          waiting = Math.min(waiting, found.waiting);
        }
      }
    };
    const map = this.#graph.maps.get(sheet);
    map?.eachIn(top, left, bottom, right, check);
    if (this.#spills.any(sheet)) {
      for (const anchor of this.#spills.meeting(sheet, top, left, bottom, right)) {
        const group = map?.at(anchor.row, anchor.col);
        if (group?.state === pendingState && !needed.includes(group)) needed.push(group);
      }
    }
    const inCircle = circular || waiting !== Infinity;
    if (inCircle || needed.length > 0 || cells.length > 0)
      throw new PendingReads(needed, cells, inCircle, waiting === Infinity ? -1 : waiting);
  }
}

function dirtyCells(group: FormulaGroup): FormulaCell[] {
  return Array.from({ length: group.dirtyBottom - group.dirtyTop + 1 }, (_, i) => ({ group, row: group.dirtyTop + i }));
}
