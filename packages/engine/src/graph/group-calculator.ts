import { cellResult } from '../formula/compile.ts';
import { Evaluation } from '../formula/evaluation-context.ts';
import { ReadTrackingHost } from '../formula/read-tracking-host.ts';
import type { ArraySize } from '../formula/array-evaluation-mode.ts';
import type { Templates } from '../formula/formula-template.ts';
import type { SeededRandom } from '../base/seeded-random.ts';
import { bandRows, blankTag, numberTag, type Chunk } from '../store/chunk.ts';
import { CellError, cellErrors, Matrix, type Scalar, type Value } from '../base/values.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { coveredRect, type FormulaGroup } from './formula-group.ts';
import { kernelOf, type FormulaBlock } from './arithmetic-kernel.ts';
import type { RollbackJournal } from './rollback-journal.ts';
import type { SpillArea, Spills } from './spills.ts';

/** A range of cells in one column whose values changed. */
export interface Change {
  readonly sheet: number;
  readonly col: number;
  readonly top: number;
  readonly bottom: number;
}

const noIds = new Int32Array(0);

/**
 * Buffer for one block of results. All recalculations share it, because each block is written and read without
 * interruption.
 */
let shared: Float64Array | undefined;

/** Calculates the rows of formula groups and writes the results to their cells. */
export class GroupCalculator {
  changes: Change[] = [];
  /**
   * Areas that an array has newly filled or no longer fills. Formulas that read them may have been calculated from the
   * old values, so the caller recalculates these formulas.
   */
  readonly changedSpills: { group: FormulaGroup; area: SpillArea }[] = [];
  /** Formula cells of arrays that another array displaced; they must be recalculated. */
  readonly evicted: { sheet: IndexedSheet; row: number; col: number }[] = [];
  /** Groups whose arrays never become stable, because they depend on their own size. */
  readonly unstable = new Set<FormulaGroup>();
  #ev: Evaluation;
  readonly #plain: Evaluation;
  /**
   * Creates an evaluation that reports each range before a formula reads it, so that the range can be calculated first.
   */
  createExactEvaluation: () => Evaluation;
  #exact: Evaluation | undefined;
  readonly #random: SeededRandom;
  readonly #templates: Templates;
  readonly #spills: Spills;
  readonly #journal: RollbackJournal;
  #firstChanged = -1;
  #lastChanged = -1;

  constructor(ev: Evaluation, random: SeededRandom, templates: Templates, spills: Spills, journal: RollbackJournal) {
    this.#templates = templates;
    this.#ev = ev;
    this.#plain = ev;
    this.createExactEvaluation = () => ev;
    this.#random = random;
    this.#spills = spills;
    this.#journal = journal;
  }

  /** Prepares for a recalculation. Allocates a new change list, because the caller keeps the previous one. */
  reset(): void {
    this.changes = [];
    if (this.unstable.size > 0) this.unstable.clear();
    this.#exact = undefined;
  }

  /**
   * Saves the old values of a formula group's dirty rows for a rollback. Called before its first row is calculated.
   */
  begin(group: FormulaGroup): void {
    this.#journal.save(group.sheet, group.col, group.dirtyTop, group.dirtyBottom);
    // `touch` increments the column's version, which invalidates cached totals of the column. Once per group is enough:
    // totals cached while the column is being calculated cover only finished rows, so they stay valid.
    group.sheet.cells.touch(group.col);
  }

  #place(ev: Evaluation, group: FormulaGroup, row: number): void {
    if (group.pattern.placeholders > 0) {
      const template = this.#templates.get(group.sheet.cells.formulaId(row, group.col));
      if (template) ev.constants = template.constants;
    }
    ev.sheet = ev === this.#plain ? group.sheet : (ev.host.sheetById(group.sheet.id) ?? group.sheet);
    ev.row = row;
    ev.col = group.col;
    ev.dynamic = group.pattern.lift;
    ev.begin();
    if (group.pattern.volatile) this.#random.at(group.sheet.id, row, group.col);
  }

  /**
   * Calculates one row and writes the result. With `exact`, PendingReads is thrown only when a formula actually reads a
   * cell that is not calculated yet.
   */
  compute(group: FormulaGroup, row: number, exact = false): void {
    this.#ev = exact ? (this.#exact ??= this.createExactEvaluation()) : this.#plain;
    this.#place(this.#ev, group, row);
    let value: Value;
    try {
      value = group.pattern.run(this.#ev);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      value = error;
    }
    this.store(group, row, value);
  }

  /**
   * Calculates the dirty rows from `top` downwards, so that each row may read the rows above it. If a row throws, the
   * group's `cursor` is at that row.
   */
  computeRun(group: FormulaGroup, top: number): void {
    const { sheet, col, dirtyBottom } = group;
    this.#ev = this.#plain;
    for (let row = top; row <= dirtyBottom;) {
      const band = sheet.cells.ensureBand(row);
      const chunk = band.chunk(col, row - band.start);
      const last = Math.min(dirtyBottom, band.start + Math.min(band.height, chunk.rows) - 1);
      row = this.#computeChunkRows(group, chunk, band.start, row, last);
    }
  }

  /**
   * Calculates rows `[top, last]`, whose cells are stored in one chunk. Stops after the first result that is not a
   * number; if results may be arrays, stops after every row. Returns the next row to calculate.
   */
  #computeChunkRows(group: FormulaGroup, chunk: Chunk, start: number, top: number, last: number): number {
    const { pattern } = group;
    const { run } = pattern;
    const { tags, nums } = chunk;
    const ids = chunk.formulas ?? noIds;
    const ev = this.#plain;
    // Arithmetic allocates no temporary memory, so `ev.begin()`, which releases the memory of the previous formula, is
    // not needed before each row.
    const isArithmetic = kernelOf(pattern) !== null;
    const isPlain = !pattern.array && !pattern.isKept && !this.#spills.any(group.sheet.id);
    let row = top;
    let id = ids[row - start];
    this.#place(ev, group, row);
    for (;;) {
      group.cursor = row;
      let value: Value;
      try {
        value = run(ev);
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        value = error;
      }
      if (typeof value !== 'number' || !isPlain) {
        this.store(group, row, value);
        return row + 1;
      }
      const at = row - start;
      // Read the old number even if the tag shows that it will be replaced. If it were read only when the tags are
      // equal, V8 would optimize this loop for new cells, in which that never happens, and the first edit would
      // deoptimize it.
      const before = nums[at];
      if (tags[at] !== numberTag || before !== value) {
        tags[at] = numberTag;
        nums[at] = value;
        if (this.#firstChanged < 0 || row < this.#firstChanged) this.#firstChanged = row;
        if (row > this.#lastChanged) this.#lastChanged = row;
      }
      if (row === last) return row + 1;
      row++;
      // If the template id is the same as in the row above, the constants are the same too, and only the row changes.
      if (ids[row - start] !== id || pattern.volatile) {
        id = ids[row - start];
        this.#place(ev, group, row);
      } else {
        ev.row = row;
        if (!isArithmetic) ev.begin();
      }
    }
  }

  /**
   * Calculates all dirty rows of a group: plain arithmetic in blocks, everything else by calling `single` for each row.
   */
  computeBlocks(group: FormulaGroup, single: (row: number) => void): void {
    const kernel = group.pattern.array ? null : kernelOf(group.pattern);
    const buffer = (shared ??= new Float64Array(bandRows));
    const { sheet, col, dirtyBottom } = group;
    const { cells } = sheet;
    const block: FormulaBlock = {
      sheet,
      host: this.#plain.host,
      templates: this.#templates,
      col,
      row: 0,
      count: 0,
      ids: noIds,
    };
    for (let row = group.dirtyTop; row <= dirtyBottom;) {
      const band = cells.bandAt(row);
      const chunk = band?.chunks[col];
      const count = band ? Math.min(dirtyBottom + 1 - row, band.height - (row - band.start)) : 1;
      const index = band ? row - band.start : 0;
      if (kernel && count > 3 && chunk?.formulas && chunk.rows >= index + count) {
        block.row = row;
        block.count = count;
        block.ids = chunk.formulas.subarray(index, index + count);
        if (kernel(block, buffer) && this.#putBlock(buffer, chunk, index, row, count)) {
          row += count;
          continue;
        }
      }
      for (const end = row + count; row < end; row++) single(row);
    }
  }

  /**
   * Writes a block of results to the chunk. If a result is not finite, writes nothing and returns false; the caller
   * then calculates the rows one by one.
   */
  #putBlock(buffer: Float64Array, chunk: Chunk, index: number, row: number, count: number): boolean {
    for (let i = 0; i < count; i++) {
      const value = buffer[i] as number;
      if (value - value !== 0) return false;
    }
    const { tags, nums } = chunk;
    const isSame = (i: number): boolean => tags[index + i] === numberTag && nums[index + i] === buffer[i];
    let first = 0;
    while (first < count && isSame(first)) first++;
    if (first === count) return true;
    let last = count - 1;
    while (isSame(last)) last--;
    tags.fill(numberTag, index + first, index + last + 1);
    nums.set(buffer.subarray(first, last + 1), index + first);
    this.markChanged(row + first);
    this.markChanged(row + last);
    return true;
  }

  store(group: FormulaGroup, row: number, value: Value): void {
    const { cells } = group.sheet;
    const { chunk, index } = cells.chunkFor(row, group.col);
    if (group.pattern.isKept && this.#ev.isMissing && chunk.tags[index] !== blankTag) return;
    if (typeof value === 'number' && !group.pattern.array && !this.#spills.any(group.sheet.id))
      this.putNumber(chunk, index, row, value);
    else this.put(group, chunk, index, row, value);
  }

  putNumber(chunk: Chunk, index: number, row: number, value: number): void {
    if (chunk.tags[index] === numberTag && chunk.nums[index] === value) return;
    chunk.tags[index] = numberTag;
    chunk.nums[index] = value;
    this.markChanged(row);
  }

  markChanged(row: number): void {
    if (this.#firstChanged < 0 || row < this.#firstChanged) this.#firstChanged = row;
    if (row > this.#lastChanged) this.#lastChanged = row;
  }

  put(group: FormulaGroup, chunk: Chunk, index: number, row: number, value: Value): void {
    const { array } = group.pattern;
    let result: Scalar | Matrix;
    try {
      result = cellResult(this.#ev, value, group.pattern.lift);
      if (array) result = fitted(this.#ev, result, array);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      result = error;
    }
    if (result instanceof Matrix || this.#spills.any(group.sheet.id)) result = this.#spill(group, row, result);
    if (group.sheet.cells.put(chunk, index, result)) this.markChanged(row);
  }

  /**
   * Fills the cells of an array result other than the cell of the formula itself, and clears the array that the formula
   * filled before. Returns the value for the cell of the formula, which is an error if the array cannot be filled.
   */
  #spill(group: FormulaGroup, row: number, result: Scalar | Matrix): Scalar {
    const { sheet, col } = group;
    const before = this.#spills.get(sheet.id, row, col);
    if (before) this.#journal.saveArray(sheet, row, col, before);
    this.#spills.retract(sheet, row, col);
    if (!(result instanceof Matrix)) {
      if (before) this.#area(group, before);
      return result;
    }
    this.#ev.budget.spend(result.data.length);
    if (this.unstable.has(group) || this.#readsItself(group, row, result)) {
      if (before) this.#area(group, before);
      return cellErrors.circular;
    }
    this.#journal.saveArray(sheet, row, col, before);
    const area: SpillArea = { top: row, left: col, bottom: row + result.rows - 1, right: col + result.cols - 1 };
    for (const rival of this.#spills.overlapping(sheet.id, area))
      this.#journal.saveArray(sheet, rival.top, rival.left, rival);
    const evicted = this.#spills.fill(sheet, row, col, result, group.pattern.array !== undefined);
    if (!evicted) {
      if (before) this.#area(group, before);
      return cellErrors.spill;
    }
    for (const rival of evicted) {
      this.#area(group, rival);
      this.evicted.push({ sheet, row: rival.top, col: rival.left });
    }
    const after = this.#spills.get(sheet.id, row, col);
    if (after) {
      const same = before && before.bottom === after.bottom && before.right === after.right;
      if (!same) {
        if (before) this.#area(group, before);
        this.#area(group, after);
      } else this.#report(group, after);
    }
    return result.at(0, 0) ?? 0;
  }

  /** Returns whether the array would cover cells that its own formula reads. */
  #readsItself(group: FormulaGroup, row: number, matrix: Matrix): boolean {
    const bottom = row + matrix.rows - 1;
    const right = group.col + matrix.cols - 1;
    const meets = (rect: SpillArea): boolean =>
      rect.top <= bottom && rect.bottom >= row && rect.left <= right && rect.right >= group.col;
    const refers = group.pattern.reads.some((ref) => {
      if (ref.shape === 'lost' || (ref.sheet !== undefined && ref.sheet !== group.sheet.id)) return false;
      return meets(coveredRect(group, ref, row, row));
    });
    if (!refers) return false;
    // The formula refers to cells that the array would cover, but may not read all of them. Evaluate it again and watch
    // which cells it reads.
    let reads = false;
    const { host, budget, now } = this.#plain;
    const guard = new ReadTrackingHost(host, (sheet, top, left, last, far) => {
      reads ||= sheet === group.sheet.id && meets({ top, left, bottom: last, right: far });
    });
    const kept = this.#ev;
    this.#ev = new Evaluation(guard, group.sheet, budget, now, this.#random.next);
    try {
      this.#place(this.#ev, group, row);
      cellResult(this.#ev, group.pattern.run(this.#ev), group.pattern.lift);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
    } finally {
      this.#ev = kept;
    }
    return reads;
  }

  #area(group: FormulaGroup, area: SpillArea): void {
    this.changedSpills.push({ group, area });
    this.#report(group, area);
  }

  #report(group: FormulaGroup, area: SpillArea): void {
    for (let col = area.left; col <= area.right; col++) {
      this.changes.push({ sheet: group.sheet.id, col, top: area.top, bottom: area.bottom });
    }
  }

  /** Adds the changed rows of a formula group to `changes`. Called after the group's last row is calculated. */
  end(group: FormulaGroup): void {
    if (this.#firstChanged >= 0) {
      this.changes.push({ sheet: group.sheet.id, col: group.col, top: this.#firstChanged, bottom: this.#lastChanged });
    }
    this.#firstChanged = -1;
    this.#lastChanged = -1;
  }
}

/**
 * Fits a result to the fixed size of a legacy (Ctrl+Shift+Enter) array formula. A single value, row or column is
 * repeated; missing elements become #N/A.
 */
function fitted(ev: Evaluation, result: Scalar | Matrix, [rows, cols]: ArraySize): Scalar | Matrix {
  if (rows === 1 && cols === 1) return result instanceof Matrix ? (result.at(0, 0) ?? 0) : result;
  ev.reserve(rows, cols);
  if (!(result instanceof Matrix)) return Matrix.build(rows, cols, () => result);
  return Matrix.build(rows, cols, (r, c) => {
    const row = result.rows === 1 ? 0 : r;
    const col = result.cols === 1 ? 0 : c;
    return row < result.rows && col < result.cols ? (result.at(row, col) ?? 0) : cellErrors.na;
  });
}
