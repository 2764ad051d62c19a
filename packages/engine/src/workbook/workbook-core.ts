import { currentBudget, withinSteps } from '../base/budget.ts';
import { asOf } from '../base/current-time.ts';
import { cellResult } from '../formula/compile.ts';
import { Evaluation } from '../formula/evaluation-context.ts';
import type { WorkbookHost } from '../formula/workbook-host.ts';
import { lostRef, type StructuralEdit } from '../formula/rewrite-reference.ts';
import type { AxisChange } from '../base/axis-change.ts';
import type { SheetNames } from '../formula/reference.ts';
import { noTables, type TableSource } from '../formula/table-reference.ts';
import type { Mode } from '../formula/array-evaluation-mode.ts';
import { Templates, type Template } from '../formula/formula-template.ts';
import type { PivotItem } from '../functions/call-context.ts';
import { DependencyGraph } from '../graph/dependency-graph.ts';
import type { Iteration } from '../graph/iterative-calculation.ts';
import { Spills } from '../graph/spills.ts';
import type { Change } from '../graph/group-calculator.ts';
import { DefinedNames } from './defined-names.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { recalculate, type RecalcState } from './recalculate-workbook.ts';
import { IndexedSheet } from '../store/indexed-sheet.ts';
import { shiftCellsAndFormulas, replaceRefs, type RewrittenFormulas } from './shift-cells-and-formulas.ts';
import { ChangedCells } from '../graph/changed-cells.ts';
import { spilledMark } from '../store/chunk.ts';
import { StringPool } from '../store/string-pool.ts';
import { maxCols, maxRows, usualColumnWidth } from '../base/grid-size.ts';
import { CellError, cellErrors, Matrix, RangeRef, type Scalar } from '../base/values.ts';

export interface RecalcOptions {
  /** Current time as a serial date (days since 1900), for functions such as NOW; 0 if absent. */
  readonly now?: number;
  readonly seed?: number;
  /**
   * Maximum number of calculation steps; if absent, the limit of the current budget applies. If it is exceeded,
   * BudgetExceeded is thrown and all values are as before.
   */
  readonly limit?: number;
}

/**
 * Properties that formulas can read but the workbook does not store: formats, column widths, hidden rows and pivot
 * tables.
 */
export interface CellContext {
  formatAt(sheet: number, row: number, col: number): string;
  columnWidth(sheet: number, col: number): number;
  isRowHidden(sheet: number, row: number, byHand: boolean): boolean;
  pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar;
}

/** @deprecated Use `CellContext`. */
export type Surroundings = CellContext;

/**
 * Provides those sheets of other workbooks that formulas refer to. Their cells contain the values stored in the
 * imported file. A sheet's key is written as in formulas: `[Book.xlsx]Sheet1`.
 */
export interface ExternalSheetSource {
  find(key: string): IndexedSheet | undefined;
  /** Returns the sheets that earlier calls of `find` have created. */
  list(): Iterable<IndexedSheet>;
}

const defaultCellContext: CellContext = {
  formatAt: () => 'General',
  columnWidth: () => usualColumnWidth,
  isRowHidden: () => false,
  pivotData: () => cellErrors.ref,
};

/**
 * Sub-sheets with their cells and formulas. A write only records what changed; `recalc` calculates what depends on it.
 * Rows and columns are zero-based. Invalid arguments throw RangeError and invalid formulas throw FormulaSyntaxError,
 * before anything changes.
 */
export class WorkbookCore implements WorkbookHost, SheetNames {
  readonly strings = new StringPool();
  readonly templates: Templates = new Templates(this);
  readonly sheets: IndexedSheet[] = [];
  readonly graph: DependencyGraph = new DependencyGraph(this);
  readonly spills = new Spills();
  readonly changed = new ChangedCells();
  readonly names: DefinedNames = new DefinedNames(this);
  cellContext: CellContext = defaultCellContext;
  /** Settings of iterative calculation. If undefined, circular formulas evaluate to #CIRC!. */
  iteration: Iteration | undefined;
  /**
   * State that the next recalculation reuses; undefined before the first recalculation, while one runs, and after one
   * failed.
   */
  recalcState: RecalcState | undefined;
  /** The tables that formulas can refer to. Set by the document, which owns them. */
  tables: TableSource = noTables;
  /**
   * Sheets of other workbooks that formulas refer to, with the cell values stored in the imported file. Set by the
   * document, which owns these sheets.
   */
  outside: ExternalSheetSource = { find: () => undefined, list: () => [] };
  #tablesSeen = noTables.list();
  readonly #byId = new Map<number, IndexedSheet>();
  #nextId = 1;

  /**
   * Adds a sub-sheet. Callers pass `id` when they rebuild a saved workbook, because references in formulas contain the
   * ids. Formulas that already referred to the name are bound to the new sub-sheet and appended to `rewritten`.
   */
  addSheet(
    name: string,
    at = this.sheets.length,
    id = this.#nextId,
    rewritten: RewrittenFormulas[] = [],
  ): IndexedSheet {
    if (this.sheetByName(name)) throw new RangeError(`name: a sub-sheet named '${name}' exists`);
    if (this.#byId.has(id)) throw new RangeError(`id: sub-sheet ${id} exists`);
    const sheet = new IndexedSheet(id, name, this.strings);
    this.#nextId = Math.max(this.#nextId, id + 1);
    this.#byId.set(id, sheet);
    this.sheets.splice(at, 0, sheet);
    for (const one of this.#sheetsChanged()) rewritten.push(one);
    return sheet;
  }

  /** Deletes a sub-sheet. Returns the formulas whose references became #REF! or changed. */
  deleteSheet(id: number): RewrittenFormulas[] {
    const sheet = this.need(id);
    this.graph.flush();
    const at = this.sheets.indexOf(sheet);
    const neighbor = (key: number | string | undefined, step: number): number | undefined =>
      key === id ? this.sheets[at + step]?.id : undefined;
    this.graph.removeSheet(id);
    this.spills.removeSheet(id);
    this.changed.removeSheet(id);
    const rewritten = replaceRefs(this, (ref) => {
      if (ref.lastSheet === undefined) return ref.sheet === id ? lostRef({ ...ref, sheet: undefined }) : ref;
      if (ref.sheet !== id && ref.lastSheet !== id) return ref;
      if (ref.sheet === ref.lastSheet) return lostRef({ ...ref, sheet: undefined });
      // If the first or last sub-sheet of a 3D reference such as Sheet1:Sheet3!A1 is deleted, the adjacent one inside
      // the reference takes its place.
      return {
        ...ref,
        sheet: neighbor(ref.sheet, 1) ?? ref.sheet,
        lastSheet: neighbor(ref.lastSheet, -1) ?? ref.lastSheet,
      };
    });
    this.sheets.splice(at, 1);
    this.#byId.delete(id);
    this.graph.invalidate();
    return rewritten;
  }

  /**
   * Renames a sub-sheet. Returns the formulas that referred to a missing sub-sheet of the new name and are now bound to
   * this one.
   */
  renameSheet(id: number, name: string): RewrittenFormulas[] {
    const sheet = this.need(id);
    const other = this.sheetByName(name);
    if (other && other !== sheet) throw new RangeError(`name: a sub-sheet named '${name}' exists`);
    sheet.name = name;
    return this.#sheetsChanged();
  }

  moveSheet(id: number, to: number): void {
    const sheet = this.need(id);
    this.sheets.splice(this.sheets.indexOf(sheet), 1);
    this.sheets.splice(to, 0, sheet);
    this.#sheetsChanged();
  }

  /**
   * Updates formulas after sub-sheets were added, moved or renamed. Binds references to sub-sheets that were missing
   * and now exist, and schedules the recalculation of formulas that may depend on the order of the sub-sheets. Returns
   * the formulas with newly bound references.
   */
  #sheetsChanged(): RewrittenFormulas[] {
    this.graph.flush();
    this.graph.invalidate();
    const rewritten = replaceRefs(this, (ref) => {
      const sheet = typeof ref.sheet === 'string' ? (this.sheetId(ref.sheet) ?? ref.sheet) : ref.sheet;
      const lastSheet =
        typeof ref.lastSheet === 'string' ? (this.sheetId(ref.lastSheet) ?? ref.lastSheet) : ref.lastSheet;
      return sheet === ref.sheet && lastSheet === ref.lastSheet ? ref : { ...ref, sheet, lastSheet };
    });
    this.graph.eachGroup((group) => {
      const { pattern } = group;
      if (!pattern.positional && !pattern.refs.some((ref) => ref.lastSheet !== undefined)) return;
      this.graph.markDue(group.sheet, group.col, group.top, group.bottom);
    });
    return rewritten;
  }

  need(id: number): IndexedSheet {
    const sheet = this.#byId.get(id);
    if (!sheet) throw new RangeError(`sheet: there is no sub-sheet ${id}`);
    return sheet;
  }

  sheetName(id: number): string | undefined {
    return this.#byId.get(id)?.name;
  }

  sheetId(name: string): number | undefined {
    return this.sheetByName(name)?.id;
  }

  sheetById(id: number): IndexedSheet | undefined {
    return this.#byId.get(id);
  }

  outsideSheet(key: string): IndexedSheet | undefined {
    return this.outside.find(key);
  }

  sheetByName(name: string): IndexedSheet | undefined {
    const upper = name.toUpperCase();
    return this.sheets.find((sheet) => sheet.name.toUpperCase() === upper);
  }

  sheetList(): readonly IndexedSheet[] {
    return this.sheets;
  }

  /** Replaces the content of a cell; `null` clears it. The style is unchanged. */
  setValue(sheet: IndexedSheet, row: number, col: number, value: Scalar): void {
    checkCell(row, col);
    const id = sheet.cells.formulaId(row, col);
    if (id !== 0) this.#dropFormula(sheet, row, col, id);
    if (value !== null || sheet.cells.read(row, col) !== null) sheet.cells.write(row, col, value);
    this.changed.add(sheet, col, row, row);
  }

  /** Writes a formula to a cell. Throws FormulaSyntaxError if the formula is invalid. */
  setFormula(sheet: IndexedSheet, row: number, col: number, text: string, mode: Mode = true): void {
    checkCell(row, col);
    this.#place(sheet, row, col, this.templates.of(text, row, col, mode), false);
  }

  /**
   * Writes a formula to a cell, with relative references adjusted to that cell. Callers set `keepsValue` if the cell's
   * current value is the last result of the formula. The value then stays if the formula cannot be calculated.
   */
  setTemplate(sheet: IndexedSheet, row: number, col: number, template: Template, keepsValue = false): void {
    checkCell(row, col);
    this.#place(sheet, row, col, this.templates.moved(template, row, col), keepsValue);
  }

  #place(sheet: IndexedSheet, row: number, col: number, { id, pattern }: Template, keepsValue: boolean): void {
    const band = sheet.cells.ensureBand(row);
    const index = row - band.start;
    const ids = band.chunk(col, index).needFormulas();
    const before = ids[index] as number;
    // `isKept` marks formulas of imported files: their cells keep the value from the file if the formula cannot be
    // calculated. Users cannot type such formulas, so if the new formula replaces another one with `isKept`, it is the
    // same formula with rewritten references or names, and the value stays.
    const isRewritten = before > 0 && this.templates.get(before)?.pattern.isKept;
    if (before !== 0) this.#dropFormula(sheet, row, col, before);
    ids[index] = id;
    if (pattern.isKept && !keepsValue && !isRewritten) sheet.cells.write(row, col, null);
    this.graph.touch(sheet, col, row, row);
  }

  #dropFormula(sheet: IndexedSheet, row: number, col: number, id: number): void {
    sheet.cells.setFormulaId(row, col, 0);
    if (id === spilledMark) {
      // The cell was filled by the array of another formula. The new content blocks that array, so its formula must be
      // recalculated.
      this.changed.add(sheet, col, row, row);
      return;
    }
    this.graph.touch(sheet, col, row, row);
    const area = this.spills.retract(sheet, row, col);
    if (area) for (let c = area.left; c <= area.right; c++) this.changed.add(sheet, c, area.top, area.bottom);
  }

  templateAt(sheet: IndexedSheet, row: number, col: number): Template | undefined {
    return this.templates.get(sheet.cells.formulaId(row, col));
  }

  formulaText(sheet: number, row: number, col: number): string | undefined {
    const found = this.#byId.get(sheet);
    return found && this.templateAt(found, row, col)?.text(row, col, this);
  }

  // The methods below are structural edits: they insert, delete or move rows, columns or cells. Each returns the
  // formulas whose references changed or may have changed, without those that merely moved along with the cells to
  // which they refer.

  insertRows(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[] {
    return this.#edit({ sheet: sheet.id, axis: 'row', change: { kind: 'insert', at, count } });
  }

  deleteRows(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[] {
    return this.#edit({ sheet: sheet.id, axis: 'row', change: { kind: 'delete', at, count } });
  }

  /** Moves rows `[from, from + count)` to before row `to`, where all row numbers are those before the move. */
  moveRows(sheet: IndexedSheet, from: number, count: number, to: number): RewrittenFormulas[] {
    return this.#edit({ sheet: sheet.id, axis: 'row', change: { kind: 'move', from, count, to } });
  }

  insertCols(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[] {
    return this.#edit({ sheet: sheet.id, axis: 'col', change: { kind: 'insert', at, count } });
  }

  deleteCols(sheet: IndexedSheet, at: number, count: number): RewrittenFormulas[] {
    return this.#edit({ sheet: sheet.id, axis: 'col', change: { kind: 'delete', at, count } });
  }

  moveCols(sheet: IndexedSheet, from: number, count: number, to: number): RewrittenFormulas[] {
    return this.#edit({ sheet: sheet.id, axis: 'col', change: { kind: 'move', from, count, to } });
  }

  /**
   * Inserts, deletes or moves cells only in the columns (axis `row`) or rows (axis `col`) from `first` to `last`. The
   * rest of the sub-sheet is unchanged.
   */
  shiftCells(
    sheet: IndexedSheet,
    axis: 'row' | 'col',
    change: AxisChange,
    first: number,
    last: number,
  ): RewrittenFormulas[] {
    return this.#edit({ sheet: sheet.id, axis, change, within: { first, last } });
  }

  #edit(edit: StructuralEdit): RewrittenFormulas[] {
    return shiftCellsAndFormulas(this, this.need(edit.sheet), edit);
  }

  /**
   * Defines a name for a formula or reference. Relative references are written as seen from A1; in use, they are
   * relative to the cell that uses the name.
   */
  defineName(name: string, text: string, sheet?: number): void {
    this.names.define(name, text, sheet);
    this.#namesChanged(name);
  }

  removeName(name: string, sheet?: number): void {
    this.names.remove(name, sheet);
    this.#namesChanged(name);
  }

  #namesChanged(name: string): void {
    this.graph.flush();
    this.graph.invalidateNames();
    const used = this.names.usersOf(name);
    this.graph.eachGroup((group) => {
      if (group.pattern.names.some((one) => used.has(one)))
        this.graph.markDue(group.sheet, group.col, group.top, group.bottom);
    });
  }

  /**
   * If a table was moved, added or removed since the last call, schedules the recalculation of all formulas that refer
   * to tables, directly or through a defined name.
   */
  noteTables(): void {
    const tables = this.tables.list();
    if (tables === this.#tablesSeen) return;
    this.#tablesSeen = tables;
    this.graph.flush();
    this.graph.invalidateNames();
    const named = new Set<string>();
    for (const { name, template } of this.names.list())
      if (template.pattern.tables.length > 0) for (const user of this.names.usersOf(name)) named.add(user);
    this.graph.eachGroup((group) => {
      const { tables: parts, names } = group.pattern;
      if (parts.length > 0 || names.some((one) => named.has(one)))
        this.graph.markDue(group.sheet, group.col, group.top, group.bottom);
    });
  }

  nameDefinition(name: string, sheet: number): Template | undefined {
    return this.names.get(name, sheet);
  }

  /** Calculates everything that depends on changes since the last call. Returns the cells whose values changed. */
  recalc(options: RecalcOptions = {}): Change[] {
    return withinSteps(options.limit, () => recalculate(this, options));
  }

  /** Calculates all formulas, regardless of what changed. Returns the cells whose values changed. */
  recalcAll(options: RecalcOptions = {}): Change[] {
    this.requireAll();
    return withinSteps(options.limit, () => recalculate(this, options));
  }

  /** Schedules every formula for the next recalculation. */
  requireAll(): void {
    this.graph.flush();
    this.graph.eachGroup((group) => this.graph.markDue(group.sheet, group.col, group.top, group.bottom));
  }

  /** @deprecated Use `cellContext`. */
  get surroundings(): CellContext {
    return this.cellContext;
  }

  set surroundings(context: CellContext) {
    this.cellContext = context;
  }

  /**
   * Schedules the recalculation of formulas whose results depend on positions, hidden rows, formats or column widths.
   */
  requirePositional(): void {
    this.graph.flush();
    this.graph.eachGroup((group) => {
      if (group.pattern.positional) this.graph.markDue(group.sheet, group.col, group.top, group.bottom);
    });
  }

  /**
   * Clears all scheduled calculations. Called when the values are known to be right: after loading a snapshot, or after
   * undoing an interrupted edit.
   */
  acceptValues(): void {
    this.graph.flush();
    this.graph.takeDue(() => undefined);
    this.changed.clear();
  }

  /**
   * Calculates the formula of one cell from the current values of the other cells and returns the result without
   * storing it. If the cell has no formula, returns its value.
   */
  preview(sheet: IndexedSheet, row: number, col: number, options: RecalcOptions = {}): Scalar {
    const template = this.templateAt(sheet, row, col);
    if (!template) return sheet.read(row, col);
    const random = new SeededRandom(options.seed ?? 0);
    random.at(sheet.id, row, col);
    return withinSteps(options.limit, () => {
      const ev = new Evaluation(this, sheet, currentBudget(), options.now ?? 0, random.next);
      ev.row = row;
      ev.col = col;
      ev.dynamic = template.lift;
      try {
        const result = asOf(ev.now, () => cellResult(ev, template.evaluate(ev), template.lift));
        return result instanceof Matrix ? (result.at(0, 0) ?? 0) : result;
      } catch (error) {
        if (error instanceof CellError) return error;
        throw error;
      }
    });
  }

  // The methods below implement WorkbookHost, the interface through which formulas read the workbook.

  templateOf(text: string, row: number, col: number): Template {
    return this.templates.of(text, row, col);
  }

  isSubtotalCell(sheet: number, row: number, col: number): boolean {
    const found = this.#byId.get(sheet);
    return (found && this.templateAt(found, row, col)?.pattern.subtotal) ?? false;
  }

  formatAt(sheet: number, row: number, col: number): string {
    return this.cellContext.formatAt(sheet, row, col);
  }

  columnWidth(sheet: number, col: number): number {
    return this.cellContext.columnWidth(sheet, col);
  }

  isRowHidden(sheet: number, row: number, byHand: boolean): boolean {
    return this.cellContext.isRowHidden(sheet, row, byHand);
  }

  pivotData(sheet: number, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar {
    return this.cellContext.pivotData(sheet, row, col, data, items);
  }

  spillOf(sheet: number, row: number, col: number): RangeRef | undefined {
    const found = this.#byId.get(sheet);
    const area = this.spills.get(sheet, row, col);
    return found && area && new RangeRef(found, area.top, area.left, area.bottom, area.right);
  }
}

export function checkCell(row: number, col: number): void {
  if (!(Number.isInteger(row) && row >= 0 && row < maxRows))
    throw new RangeError(`row: ${row} is not between 0 and ${maxRows - 1}`);
  if (!(Number.isInteger(col) && col >= 0 && col < maxCols))
    throw new RangeError(`col: ${col} is not between 0 and ${maxCols - 1}`);
}
