import { charge, chargeArray } from './budget.ts';

/** An error value of a cell, such as #DIV/0!. Formulas can take it as input and return it. */
export class CellError {
  readonly text: string;
  /** Small positive number that cell storage holds for this error. */
  readonly code: number;
  constructor(text: string, code: number) {
    this.text = text;
    this.code = code;
  }
  toString(): string {
    return this.text;
  }
}

/** The only CellError instances; compare errors with `===`. */
export const cellErrors = {
  null: new CellError('#NULL!', 1),
  div0: new CellError('#DIV/0!', 2),
  value: new CellError('#VALUE!', 3),
  ref: new CellError('#REF!', 4),
  name: new CellError('#NAME?', 5),
  num: new CellError('#NUM!', 6),
  na: new CellError('#N/A', 7),
  gettingData: new CellError('#GETTING_DATA', 8),
  spill: new CellError('#SPILL!', 9),
  connect: new CellError('#CONNECT!', 10),
  blocked: new CellError('#BLOCKED!', 11),
  unknown: new CellError('#UNKNOWN!', 12),
  field: new CellError('#FIELD!', 13),
  calc: new CellError('#CALC!', 14),
  /** Value of a formula that depends on its own result. */
  circular: new CellError('#CIRC!', 15),
} as const;

const byCode: (CellError | undefined)[] = [];
const byText = new Map<string, CellError>();
for (const error of Object.values(cellErrors)) {
  byCode[error.code] = error;
  byText.set(error.text, error);
}

export function errorOfCode(code: number): CellError {
  return byCode[code] ?? cellErrors.unknown;
}

/** Returns the error with this text (case-insensitive), or undefined. */
export function errorOfText(text: string): CellError | undefined {
  return byText.get(text.toUpperCase());
}

export const errorTexts: readonly string[] = [...byText.keys()];

/** A single value. `null` is a blank cell or an argument left empty. */
export type Scalar = number | string | boolean | null | CellError;

/** Callback for one filled cell. Returning false stops the iteration. Row and column are relative to the grid. */
export type VisitCell = (value: Exclude<Scalar, null>, row: number, col: number) => void | false;

export interface Totals {
  /** Sum, count, minimum and maximum of the numbers; text, booleans and blanks are ignored. */
  readonly sum: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** Number of cells that are not blank. */
  readonly filled: number;
  /** The first error found, or null. */
  readonly error: CellError | null;
}

/** A rectangle of values: an array, or a reference whose cells are read from the workbook. */
export interface Grid {
  readonly rows: number;
  readonly cols: number;
  at(row: number, col: number): Scalar;
  /**
   * Visits filled cells row by row. Fast on whole columns, because blank parts are skipped. Returns false if a visitor
   * stopped the iteration.
   */
  eachFilled(visit: VisitCell): boolean;
  /** Returns statistics of all cells. The statistics of a reference are cached between calls. */
  totals(): Totals;
}

export function isError(value: unknown): value is CellError {
  return value instanceof CellError;
}

/** Array elements read since the last charge to the budget; they are charged in batches of thousands. */
let elementsRead = 0;

/**
 * Arrays up to this many elements grow by push. Larger ones are allocated at full size, because growing leaves up to
 * three times the size as garbage.
 */
const growUpTo = 10_000;

function buildWhole(rows: number, cols: number, cell: (row: number, col: number) => Scalar): Scalar[] {
  const data: Scalar[] = [];
  data.length = rows * cols;
  for (let r = 0, i = 0; r < rows; r++) for (let c = 0; c < cols; c++) data[i++] = cell(r, c);
  return data;
}

/** An array value, stored row by row. */
export class Matrix implements Grid {
  readonly rows: number;
  readonly cols: number;
  readonly data: Scalar[];
  constructor(rows: number, cols: number, data: Scalar[]) {
    this.rows = rows;
    this.cols = cols;
    this.data = data;
  }

  static build(rows: number, cols: number, cell: (row: number, col: number) => Scalar): Matrix {
    const cells = rows * cols;
    if (cells > 16) charge(cells / 4);
    chargeArray(cells);
    if (cells > growUpTo) return new Matrix(rows, cols, buildWhole(rows, cols, cell));
    const data: Scalar[] = [];
    for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) data.push(cell(r, c));
    return new Matrix(rows, cols, data);
  }

  static fromRows(lines: readonly (readonly Scalar[])[]): Matrix {
    const cols = lines[0]?.length ?? 0;
    return Matrix.build(lines.length, cols, (r, c) => lines[r]?.[c] ?? null);
  }

  static column(items: readonly Scalar[]): Matrix {
    chargeArray(items.length);
    return new Matrix(items.length, 1, [...items]);
  }

  static row(items: readonly Scalar[]): Matrix {
    chargeArray(items.length);
    return new Matrix(1, items.length, [...items]);
  }

  at(row: number, col: number): Scalar {
    if ((++elementsRead & 4095) === 0) charge(1024);
    return this.data[row * this.cols + col] ?? null;
  }

  eachFilled(visit: VisitCell): boolean {
    const { data, cols } = this;
    charge(data.length);
    for (let i = 0; i < data.length; i++) {
      const value = data[i];
      if (value === null || value === undefined) continue;
      if (visit(value, Math.floor(i / cols), i % cols) === false) return false;
    }
    return true;
  }

  totals(): Totals {
    let sum = 0;
    let count = 0;
    let min = Infinity;
    let max = -Infinity;
    let filled = 0;
    let error: CellError | null = null;
    charge(this.data.length >> 1);
    for (const value of this.data) {
      if (value === null) continue;
      filled++;
      if (typeof value === 'number') {
        sum += value;
        count++;
        if (value < min) min = value;
        if (value > max) max = value;
      } else if (error === null && value instanceof CellError) error = value;
    }
    return { sum, count, min, max, filled, error };
  }
}

/** The cells of a sub-sheet, as read through references. Rows and columns are zero-based. */
export interface CellSource {
  readonly id: number;
  readonly name: string;
  read(row: number, col: number): Scalar;
  /** Reads a cell and charges the budget. Functions that iterate over ranges use it. */
  walk(row: number, col: number): Scalar;
  eachFilled(top: number, left: number, bottom: number, right: number, visit: VisitCell): boolean;
  totals(top: number, left: number, bottom: number, right: number): Totals;
  /** Last row and column with content, or -1 if the sub-sheet is empty. */
  readonly lastRow: number;
  readonly lastCol: number;
}

/** A rectangular range of one sub-sheet; zero-based, edges inclusive. */
export class RangeRef implements Grid {
  readonly sheet: CellSource;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  constructor(sheet: CellSource, top: number, left: number, bottom: number, right: number) {
    this.sheet = sheet;
    this.top = top;
    this.left = left;
    this.bottom = bottom;
    this.right = right;
  }

  get rows(): number {
    return this.bottom - this.top + 1;
  }

  get cols(): number {
    return this.right - this.left + 1;
  }

  get isCell(): boolean {
    return this.top === this.bottom && this.left === this.right;
  }

  at(row: number, col: number): Scalar {
    return this.sheet.walk(this.top + row, this.left + col);
  }

  eachFilled(visit: VisitCell): boolean {
    return this.sheet.eachFilled(this.top, this.left, this.bottom, this.right, visit);
  }

  totals(): Totals {
    return this.sheet.totals(this.top, this.left, this.bottom, this.right);
  }

  /** Returns the subrange of rows `[row, row + rows)` and columns `[col, col + cols)`, relative to this range. */
  part(row: number, col: number, rows: number, cols: number): RangeRef {
    const top = this.top + row;
    const left = this.left + col;
    return new RangeRef(this.sheet, top, left, top + rows - 1, left + cols - 1);
  }

  /**
   * Returns the range trimmed to the used part of the sub-sheet, so that `A:A` can be read cell by cell. It has at
   * least one cell.
   */
  trimmed(): RangeRef {
    const bottom = Math.max(this.top, Math.min(this.bottom, this.sheet.lastRow));
    const right = Math.max(this.left, Math.min(this.right, this.sheet.lastCol));
    if (bottom === this.bottom && right === this.right) return this;
    return new RangeRef(this.sheet, this.top, this.left, bottom, right);
  }
}

/** A reference with several areas: `(A1:A2,C1)` or a 3D reference over several sub-sheets. */
export class RefUnion {
  readonly areas: readonly RangeRef[];
  constructor(areas: readonly RangeRef[]) {
    this.areas = areas;
  }
}

export type Reference = RangeRef | RefUnion;

/** A LAMBDA as a value. In `args`, `undefined` is an omitted argument. */
export class Lambda {
  readonly params: number;
  readonly required: number;
  readonly apply: (args: readonly (Value | undefined)[]) => Value;
  constructor(params: number, required: number, apply: (args: readonly (Value | undefined)[]) => Value) {
    this.params = params;
    this.required = required;
    this.apply = apply;
  }
}

export type Value = Scalar | Matrix | RangeRef | RefUnion | Lambda;

export function isGrid(value: unknown): value is Matrix | RangeRef {
  return value instanceof RangeRef || value instanceof Matrix;
}

export function isReference(value: unknown): value is Reference {
  return value instanceof RangeRef || value instanceof RefUnion;
}
