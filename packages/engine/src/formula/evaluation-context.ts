import { chargeArray, type StepBudget } from '../base/budget.ts';
import type { CallContext, PivotItem, SheetInfo } from '../functions/call-context.ts';
import { eachMatching } from '../base/criteria.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';
import {
  CellError,
  cellErrors,
  Matrix,
  RangeRef,
  isGrid,
  type Grid,
  type Lambda,
  type Reference,
  type Scalar,
  type Value,
} from '../base/values.ts';
import { findInArray } from './array-lookup-index.ts';
import { toOperand, elementAt } from './broadcast.ts';
import { maxArrayCells, trimToUsed } from '../base/array-size-limit.ts';
import type { WorkbookHost } from './workbook-host.ts';
import type { SheetHost } from '../base/indexed-sheet-access.ts';
import { indirectReference } from './indirect.ts';

const maxDepth = 400;

/**
 * Context in which a formula is evaluated: its cell, its variables, and access to the workbook. One instance is reused
 * for many cells.
 */
export class Evaluation implements CallContext {
  readonly host: WorkbookHost;
  budget: StepBudget;
  now = 0;
  random: () => number;
  sheet: SheetHost;
  /**
   * True while the formula of a defined name is evaluated. Relative references of such a formula wrap around the edges
   * of the sheet.
   */
  isInName = false;
  row = 0;
  col = 0;
  dynamic = true;
  isMissing = false;
  /** Values of LET and LAMBDA variables, indexed by the slot numbers that the compiler assigns. */
  env: Value[] = [];
  /**
   * Values of the number and text constants of the formula, indexed by the `slot` of the constant in the syntax tree.
   */
  constants: readonly (number | string)[] = [];
  #depth = 0;
  /**
   * Called with every range that the formula computes at run time, for example with INDIRECT, so that the cells of the
   * range are calculated before the formula reads them.
   */
  onDynamic: (range: RangeRef) => void = () => undefined;

  constructor(host: WorkbookHost, sheet: SheetHost, budget: StepBudget, now: number, random: () => number) {
    this.host = host;
    this.sheet = sheet;
    this.budget = budget;
    this.now = now;
    this.random = random;
  }

  /**
   * Charges the steps for computing an array result to the calculation budget. Throws #NUM! if the array is too large.
   * The memory of the array is charged separately, where the array is created.
   */
  reserve(rows: number, cols: number): void {
    const cells = rows * cols;
    if (cells > maxArrayCells) throw cellErrors.num;
    if (cells > 16) this.budget.spend(cells);
  }

  /**
   * Runs `body` with the recursion depth increased by one. Returns #NUM! if the recursion is too deep, so that the
   * stack does not overflow.
   */
  nested(body: () => Value): Value {
    if (this.#depth >= maxDepth) return cellErrors.num;
    this.#depth++;
    try {
      return body();
    } finally {
      this.#depth--;
    }
  }

  /** Resets the state before the next formula is evaluated, and releases the temporary memory of the previous one. */
  begin(): void {
    this.budget.next();
    this.#depth = 0;
    this.isMissing = false;
    this.isInName = false;
    if (this.env.length > 0) this.env = [];
  }

  callLambda(lambda: Lambda, args: readonly (Value | undefined)[]): Value {
    const { room } = this.budget;
    const result = lambda.apply(args);
    // Release the memory charged for temporary values of the call. Only the result stays charged to the calculation
    // budget.
    this.budget.free(room);
    if (result instanceof Matrix) chargeArray(result.data.length);
    return result;
  }

  indirect(text: string, a1: boolean): Reference | CellError {
    const found = indirectReference(this, text, a1);
    if (found instanceof RangeRef) this.onDynamic(found);
    else if (!(found instanceof CellError)) for (const area of found.areas) this.onDynamic(area);
    return found;
  }

  rectangle(base: RangeRef, top: number, left: number, rows: number, cols: number): RangeRef | CellError {
    const bottom = top + rows - 1;
    const right = left + cols - 1;
    if (!(top >= 0 && left >= 0 && rows >= 1 && cols >= 1 && bottom < maxRows && right < maxCols))
      return cellErrors.ref;
    const range = new RangeRef(base.sheet, top, left, bottom, right);
    this.onDynamic(range);
    return range;
  }

  sheets(): readonly SheetInfo[] {
    return this.host.sheetList();
  }

  formulaAt(sheet: SheetInfo, row: number, col: number): string | undefined {
    return this.host.formulaText(sheet.id, row, col);
  }

  formulaBelow(sheet: SheetInfo, row: number, col: number, down: number): Scalar | undefined {
    const text = this.host.formulaText(sheet.id, row, col);
    const host = this.host.sheetById(sheet.id);
    if (text === undefined || host === undefined) return undefined;
    const template = this.host.templateOf(text, row, col);
    const place = { sheet: this.sheet, row: this.row, col: this.col, env: this.env };
    Object.assign(this, { sheet: host, row: row + down, col, env: [] });
    try {
      return this.element(this.nested(() => template.evaluate(this)));
    } finally {
      Object.assign(this, place);
    }
  }

  isRowHidden(sheet: SheetInfo, row: number, byHand: boolean): boolean {
    return this.host.isRowHidden(sheet.id, row, byHand);
  }

  isSubtotal(sheet: SheetInfo, row: number, col: number): boolean {
    return this.host.isSubtotalCell(sheet.id, row, col);
  }

  formatAt(sheet: SheetInfo, row: number, col: number): string {
    return this.host.formatAt(sheet.id, row, col);
  }

  pivotData(sheet: SheetInfo, row: number, col: number, data: string, items: readonly PivotItem[]): Scalar {
    return this.host.pivotData(sheet.id, row, col, data, items);
  }

  columnWidth(sheet: SheetInfo, col: number): number {
    return this.host.columnWidth(sheet.id, col);
  }

  broadcast(args: readonly Value[], each: (...items: Scalar[]) => Value): Value {
    const items = args.map((arg) => {
      const value = toOperand(this, arg, true);
      return isGrid(value) ? trimToUsed(value) : value;
    });
    const grids = items.filter(isGrid);
    if (grids.length === 0) return each(...(items as Scalar[]));
    const rows = Math.max(...grids.map((grid) => grid.rows));
    const cols = Math.max(...grids.map((grid) => grid.cols));
    this.reserve(rows, cols);
    return Matrix.build(rows, cols, (r, c) => {
      this.budget.spend(3);
      return this.element(each(...items.map((item) => elementAt(item, r, c))));
    });
  }

  /**
   * Reduces the result computed for one element of an array to a scalar. If that result is an array too, returns its
   * first cell.
   */
  element(value: Value): Scalar {
    const item = toOperand(this, value, true);
    return isGrid(item) ? item.at(0, 0) : item;
  }

  findExact(grid: Grid, needle: Scalar): number {
    if (needle === null) return -1;
    if (grid instanceof RangeRef) {
      const sheet = grid.sheet as SheetHost;
      return sheet.findExact(grid.top, grid.left, grid.bottom, grid.right, needle);
    }
    return grid instanceof Matrix ? findInArray(grid, needle) : -1;
  }

  eachMatching(
    ranges: readonly Grid[],
    criteria: readonly Scalar[],
    visit: (row: number, col: number) => void,
  ): CellError | undefined {
    return eachMatching(this.budget, ranges, criteria, visit);
  }
}
