import { parseCell, rectName, type Rect } from '../base/address.ts';
import { BudgetExceeded } from '../base/budget.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import type { CellError } from '../base/values.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { blankTag } from '../store/chunk.ts';
import type { Change } from '../graph/group-calculator.ts';
import { changedRanges, type WrittenRange } from './changed-ranges.ts';
import type { RewrittenFormulas } from './shift-cells-and-formulas.ts';
import { UndoLog } from './undo-log.ts';
import { checkRows, writeCell, writeRows, type CellInput } from './write-rows.ts';
import { WorkbookCore, type RecalcOptions } from './workbook-core.ts';

/** Value of a cell; for a formula, its result. */
export type CellOutput = number | string | boolean | null | CellError;

/**
 * A cell: `'B2'`, `'Sheet2!B2'`, `"'My sheet'!B2"`, or zero-based row and column. Without a sheet name, it is on the
 * first sub-sheet.
 */
export type Address = string | { readonly row: number; readonly col: number; readonly sheet?: string };

/** A range of cells whose values changed, by writing or by calculation. */
export interface ChangedRange extends Rect {
  readonly sheet: string;
  /** The range in A1 notation, without the sheet name. */
  readonly range: string;
}

export interface WorkbookOptions extends RecalcOptions {
  /** Name of the first sub-sheet; `Sheet1` if absent. */
  readonly sheet?: string;
}

interface CellLocation {
  readonly sheet: IndexedSheet;
  readonly row: number;
  readonly col: number;
}

/**
 * A workbook of values and formulas that is always calculated.
 *
 * ```ts
 * const workbook = Workbook.fromRows([[1, 2, '=A1+B1'], [3, 4, '=A2+B2']]);
 * workbook.onChange((ranges) => console.log(ranges.map(({ range }) => range)));
 * workbook.set('A1', 10);
 * workbook.get('C1'); // 12
 * workbook.rows(); // [[10, 2, 12], [3, 4, 7]]
 * ```
 */
export class Workbook {
  readonly #core = new WorkbookCore();
  readonly #options: RecalcOptions;
  readonly #listeners = new Set<(ranges: readonly ChangedRange[]) => void>();
  #written: WrittenRange[] = [];
  readonly #undo = new UndoLog(this.#core);
  #depth = 0;

  /**
   * Creates a workbook with one empty sub-sheet. `now` (the current time as a serial date) determines TODAY, and `seed`
   * determines RAND. `limit` is the maximum number of steps of one calculation.
   */
  constructor(options: WorkbookOptions = {}) {
    this.#options = options;
    this.#core.addSheet(options.sheet ?? 'Sheet1');
  }

  /**
   * Creates a workbook with these rows, starting at A1. Text that starts with `=` is a formula. A leading apostrophe is
   * removed and makes the rest plain text, even if it starts with `=`.
   */
  static fromRows(rows: readonly (readonly CellInput[])[], options: WorkbookOptions = {}): Workbook {
    const workbook = new Workbook(options);
    writeRows(workbook.#core, workbook.#core.sheets[0]!, 0, 0, checkRows(workbook.#core, 0, 0, rows));
    workbook.#settle();
    return workbook;
  }

  /** Names of the sub-sheets, in their order. */
  get sheets(): string[] {
    return this.#core.sheets.map(({ name }) => name);
  }

  /** Adds an empty sub-sheet at the end. */
  addSheet(name: string): void {
    const rewritten: RewrittenFormulas[] = [];
    const sheet = this.#core.addSheet(name, undefined, undefined, rewritten);
    if (this.#depth > 0) this.#undo.recordSheet(sheet, rewritten);
    this.#settle();
  }

  /**
   * Writes one cell, or rows starting at a cell, and recalculates what depends on them. Throws RangeError for an
   * invalid address or value and FormulaSyntaxError for an invalid formula, before anything changes. Throws
   * BudgetExceeded if the calculation exceeds the `limit` passed to the constructor: the written cells stay, and
   * calculated values are as before.
   */
  set(address: Address, value: CellInput | readonly (readonly CellInput[])[]): void {
    const { sheet, row, col } = this.#locate(address);
    const rows = Array.isArray(value) ? (value as readonly (readonly CellInput[])[]) : undefined;
    const checked = rows && checkRows(this.#core, row, col, rows);
    if (checked?.width === 0) return;
    const bottom = rows ? row + rows.length - 1 : row;
    const right = checked ? col + checked.width - 1 : col;
    const written = { sheet: sheet.id, top: row, left: col, bottom, right };
    if (this.#depth > 0) this.#undo.recordCells(sheet, written);
    if (checked) writeRows(this.#core, sheet, row, col, checked);
    else writeCell(this.#core, sheet, row, col, value as CellInput);
    this.#written.push(written);
    this.#settle();
  }

  /** Returns the value of a cell. An error is a CellError, with a `text` such as `#DIV/0!`. */
  get(address: Address): CellOutput {
    const { sheet, row, col } = this.#locate(address);
    return sheet.read(row, col);
  }

  /** Returns the formula of a cell with its `=`; undefined if the cell has none. */
  formula(address: Address): string | undefined {
    const { sheet, row, col } = this.#locate(address);
    return this.#core.formulaText(sheet.id, row, col);
  }

  /**
   * Returns all values from A1 to the last filled row and column of a sub-sheet, the first one if `name` is absent.
   * Blank cells are null.
   */
  rows(name?: string): CellOutput[][] {
    const { cells } = name === undefined ? this.#core.sheets[0]! : this.#sheet(name);
    const rows: CellOutput[][] = [];
    let height = 0;
    let width = 0;
    for (const { start, chunks } of cells.bands) {
      chunks.forEach((chunk, col) => {
        for (let i = 0; chunk && i < chunk.rows; i++) {
          const tag = chunk.tags[i]!;
          if (tag === blankTag) continue;
          while (rows.length <= start + i) rows.push([]);
          const row = rows[start + i]!;
          while (row.length < col) row.push(null);
          row[col] = cells.decode(tag, chunk.nums[i]!);
          if (col >= width) width = col + 1;
          if (start + i >= height) height = start + i + 1;
        }
      });
    }
    for (const row of rows) while (row.length < width) row.push(null);
    return rows.slice(0, height);
  }

  /**
   * Calls `listener` after every change with the changed cells, including calculated ones. Returns a function that
   * unsubscribes.
   */
  onChange(listener: (ranges: readonly ChangedRange[]) => void): () => void {
    const own = (ranges: readonly ChangedRange[]): void => listener(ranges);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /**
   * Runs several writes as one transaction: recalculates and notifies listeners once, at the end. Reads during `work`
   * return the formula results from before the transaction. If `work` or the calculation throws, all writes are rolled
   * back and listeners are not called.
   */
  batch(work: () => void): void {
    const noted = this.#undo.length;
    const written = this.#written.length;
    let computed: Change[] = [];
    this.#depth++;
    try {
      work();
      if (this.#depth === 1) computed = this.#core.recalc(this.#options);
    } catch (error) {
      this.#undo.undo(noted);
      this.#written.length = written;
      if (this.#depth === 1) this.#calculateAgain();
      throw error;
    } finally {
      this.#depth--;
    }
    if (this.#depth > 0) return;
    this.#undo.clear();
    this.#tell(computed);
  }

  /**
   * Recalculates after a batch was rolled back, because the rollback does not restore the cells into which array
   * formulas spill their results. BudgetExceeded is ignored, because all other values are already restored.
   */
  #calculateAgain(): void {
    try {
      this.#core.recalc(this.#options);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
    }
  }

  #settle(): void {
    if (this.#depth === 0) this.#tell(this.#core.recalc(this.#options));
  }

  #tell(computed: readonly Change[]): void {
    const written = this.#written;
    this.#written = [];
    if (this.#listeners.size === 0 || (written.length === 0 && computed.length === 0)) return;
    const ranges = changedRanges(written, computed).map(({ sheet, ...rect }) => ({
      sheet: this.#core.sheetName(sheet)!,
      range: rectName(rect),
      ...rect,
    }));
    for (const listener of this.#listeners) listener(ranges);
  }

  #sheet(name: string): IndexedSheet {
    const sheet = this.#core.sheetByName(name);
    if (!sheet) throw new RangeError(`sheet: there is no sub-sheet '${name}'; there are ${this.sheets.join(', ')}`);
    return sheet;
  }

  #locate(address: Address): CellLocation {
    if (typeof address !== 'string') {
      const { row, col, sheet } = address;
      if (!Number.isInteger(row) || row < 0 || row >= maxRows)
        throw new RangeError(`address: row must be an integer from 0 to ${maxRows - 1}, not ${row}`);
      if (!Number.isInteger(col) || col < 0 || col >= maxCols)
        throw new RangeError(`address: col must be an integer from 0 to ${maxCols - 1}, not ${col}`);
      return { sheet: sheet === undefined ? this.#core.sheets[0]! : this.#sheet(sheet), row, col };
    }
    const mark = address.lastIndexOf('!');
    const cell = parseCell(address.slice(mark + 1));
    if (!cell) throw new RangeError(`address: a cell such as 'B2' or 'Sheet2!B2' is expected, not '${address}'`);
    if (mark < 0) return { sheet: this.#core.sheets[0]!, ...cell };
    const name = address.slice(0, mark);
    const quoted = /^'(.*)'$/s.exec(name)?.[1];
    return { sheet: this.#sheet(quoted === undefined ? name : quoted.replaceAll("''", "'")), ...cell };
  }
}
