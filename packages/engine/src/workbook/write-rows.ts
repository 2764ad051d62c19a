import { checkCell, type WorkbookCore } from './workbook-core.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { cellName } from '../base/address.ts';
import { bandRows, Chunk, numberTag } from '../store/chunk.ts';
import { loadStaged, putValue, type StagedColumn } from './bulk-load.ts';

/**
 * Content for a cell: a number, text, boolean, or null for blank. Text that starts with `=` is a formula. A leading
 * apostrophe is removed and makes the rest plain text.
 */
export type CellInput = number | string | boolean | null;

const equals = 61;
const apostrophe = 39;

function isFormula(input: string): boolean {
  return input.length > 1 && input.charCodeAt(0) === equals;
}

function checkInput(input: unknown, row: number, col: number): void {
  if (typeof input === 'string' || typeof input === 'boolean' || input === null || input === undefined) return;
  if (typeof input === 'number' && Number.isFinite(input)) return;
  const shown = typeof input === 'number' ? String(input) : Object.prototype.toString.call(input);
  throw new RangeError(
    `value: a finite number, text, true, false or null is expected in ${cellName(row, col)}, not ${shown}`,
  );
}

/** Validated rows, converted to columns that can be written without further checks. */
export interface CheckedRows {
  readonly width: number;
  readonly columns: readonly StagedColumn[];
}

/**
 * Validates all rows and converts them to columns. Throws if a row is invalid, before anything is written. The loops
 * are small, because V8 optimizes small loops early and programs call this right after startup.
 */
export function checkRows(
  core: WorkbookCore,
  row: number,
  col: number,
  rows: readonly (readonly CellInput[])[],
): CheckedRows {
  const width = widest(rows);
  if (width > 0) checkCell(row + rows.length - 1, col + width - 1);
  const columns: { chunks: Chunk[]; formulas: number[] }[] = [];
  for (let c = 0; c < width; c++) columns.push({ chunks: [], formulas: [] });
  for (let from = 0; from < rows.length;) {
    const to = Math.min(rows.length, from + bandRows - ((row + from) % bandRows));
    for (let c = 0; c < width; c++) {
      const { chunks, formulas } = columns[c]!;
      chunks.push(staged(core, rows, { row, col: col + c, index: c }, from, to, formulas));
    }
    from = to;
  }
  return { width, columns };
}

function widest(rows: readonly (readonly CellInput[])[]): number {
  let width = 0;
  for (let r = 0; r < rows.length; r++) {
    const line = rows[r];
    if (!Array.isArray(line)) throw new RangeError(`value: row ${r} must be a list of values`);
    if (line.length > width) width = line.length;
  }
  return width;
}

/**
 * Position of an input column: `row` and `col` are its first cell in the sheet, `index` is its index in each input
 * row.
 */
interface Column {
  /** Row of the sub-sheet to which the first input row is written. */
  readonly row: number;
  readonly col: number;
  readonly index: number;
}

/**
 * Converts rows `[from, to)` of an input column to a chunk, the cells of one column in a block of rows. Appends the
 * first and last row of each run of formulas to `formulas`.
 */
function staged(
  core: WorkbookCore,
  rows: readonly (readonly CellInput[])[],
  column: Column,
  from: number,
  to: number,
  formulas: number[],
): Chunk {
  const { row, col, index } = column;
  const chunk = new Chunk(to - from);
  for (let at = from; at < to;) {
    const start = at;
    at = numbersEnd(rows, index, from, at, to, chunk.nums);
    if (at > start) chunk.tags.fill(numberTag, start - from, at - from);
    if (at === to) break;
    const input = rows[at]![index];
    if (typeof input === 'string' && isFormula(input)) {
      const template = core.templates.of(input, row + at, col);
      const end = core.templates.copiesEnd(rows, column, at + 1, to, template);
      chunk.needFormulas().fill(template.id, at - from, end - from);
      if (formulas.length > 0 && formulas.at(-1) === at - 1) formulas[formulas.length - 1] = end - 1;
      else formulas.push(at, end - 1);
      at = end;
    } else {
      checkInput(input, row + at, col);
      putValue(core, chunk, at - from, plainValue(input ?? null));
      at++;
    }
  }
  return chunk;
}

/**
 * Copies the numbers of input column `c` from row `at` on to `nums`, whose index 0 belongs to row `from`. Stops before
 * row `to` or at the first row whose value is not a finite number. Returns the row at which it stopped.
 */
function numbersEnd(
  rows: readonly (readonly CellInput[])[],
  c: number,
  from: number,
  at: number,
  to: number,
  nums: Float64Array,
): number {
  for (let r = at; r < to; r++) {
    const input = (rows[r] as readonly CellInput[])[c];
    if (typeof input !== 'number' || input - input !== 0) return r;
    nums[r - from] = input;
  }
  return to;
}

export function writeRows(
  core: WorkbookCore,
  sheet: IndexedSheet,
  row: number,
  col: number,
  { columns }: CheckedRows,
): void {
  for (let c = 0; c < columns.length; c++) loadStaged(core, sheet, row, col + c, columns[c]!);
}

export function writeCell(core: WorkbookCore, sheet: IndexedSheet, row: number, col: number, input: CellInput): void {
  checkInput(input, row, col);
  if (typeof input === 'string' && isFormula(input)) core.setFormula(sheet, row, col, input);
  else core.setValue(sheet, row, col, plainValue(input ?? null));
}

/** Returns the value of an input that is not a formula, without its leading apostrophe. */
function plainValue(input: CellInput): CellInput {
  return typeof input === 'string' && input.charCodeAt(0) === apostrophe ? input.slice(1) : input;
}
