import type { Rect } from '../../base/address.ts';
import type { SheetDocument } from '../document.ts';
import { FormulaSyntaxError } from '../../formula/token.ts';
import { modeOf, type ArraySize, storedMode, type Mode, type StoredMode } from '../../formula/array-evaluation-mode.ts';
import type { SheetNames } from '../../formula/reference.ts';
import type { Template } from '../../formula/formula-template.ts';
import { loadColumn } from '../../workbook/bulk-load.ts';
import { blankTag, numberTag } from '../../store/chunk.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';
import { CellError, cellErrors, errorOfText, type Scalar } from '../../base/values.ts';
import type { SubSheet } from './sub-sheet.ts';
import { namesForStoredFormulas, qualifyTableReferences } from './document-tables.ts';

/**
 * Value of a cell as mutations (stored edits) contain it. `null` is a blank cell; `error` is the text of an error value
 * such as `#N/A`.
 */
export type Constant = number | string | boolean | null | { readonly error: string };

/** Values for consecutive cells of one column, starting at `row`, `col`. `null` clears a cell. */
export type ValueRun = readonly [row: number, col: number, values: readonly Constant[]];

/**
 * A formula for `count` consecutive cells of one column. `text` is the formula of the first cell; its relative
 * references shift in the other cells, as in fill down. Without `mode`, an array result fills the neighboring cells
 * (spills).
 */
export type FormulaRun = readonly [row: number, col: number, count: number, text: string, mode?: StoredMode];

/** A list of at least this many values is written to its column at once instead of cell by cell. */
const longRun = 16;

export function runOf(row: number, col: number, count: number, text: string, mode: Mode): FormulaRun {
  const stored = storedMode(mode);
  return stored === undefined ? [row, col, count, text] : [row, col, count, text, stored];
}

export interface Contents {
  readonly values?: readonly ValueRun[];
  readonly formulas?: readonly FormulaRun[];
}

function constantOf(value: Scalar): Constant {
  return value instanceof CellError ? { error: value.text } : value;
}

function scalarOf(constant: Constant): Scalar {
  switch (typeof constant) {
    case 'number':
      if (!Number.isFinite(constant)) throw new RangeError(`value: ${constant} is not a finite number`);
      return constant + 0;
    case 'string':
    case 'boolean':
      return constant;
    default: {
      if (constant === null) return null;
      const error = errorOfText(constant.error);
      if (!error) throw new RangeError(`value: '${constant.error}' is no error value`);
      return error;
    }
  }
}

type ScalarList = Float64Array | readonly Scalar[];

/**
 * Returns the values as a typed array, which can be copied to the cells as a whole. Returns undefined if there are
 * fewer than `longRun` values or if a value is not a finite number.
 */
function numbersOf(list: readonly Constant[]): Float64Array | undefined {
  if (list.length < longRun || typeof list[0] !== 'number') return undefined;
  const numbers = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
    // Adding 0 turns -0 into 0.
    numbers[i] = value + 0;
  }
  return numbers;
}

/**
 * Returns the contents of a rectangle, column by column: runs of consecutive values, and runs of consecutive cells with
 * the same formula. With `blanks`, blank cells are included as null.
 */
export function capture(
  document: SheetDocument,
  sheet: SubSheet,
  rect: Rect,
  blanks = false,
  names?: SheetNames,
): Contents {
  // If `names` is not given, the default name lookup is created at the first formula, because most captured rectangles
  // contain only values and need no names.
  let madeNames = names;
  const { cells } = sheet.sheet;
  const { templates } = document.workbook;
  const values: [number, number, Constant[]][] = [];
  const formulas: FormulaRun[] = [];
  const last = blanks ? rect.right : Math.min(rect.right, columnCountOf(sheet) - 1);
  for (let col = rect.left; col <= last; col++) {
    let run: [number, number, Constant[]] | undefined;
    let next = rect.top;
    const put = (row: number, value: Constant): void => {
      if (run && run[0] + run[2].length === row) run[2].push(value);
      else values.push((run = [row, col, [value]]));
    };
    const putNumbers = (row: number, numbers: Float64Array): void => {
      if (!run || run[0] + run[2].length !== row) values.push((run = [row, col, []]));
      const list = run[2];
      for (let i = 0; i < numbers.length; i++) list.push(numbers[i]!);
    };
    const fill = (until: number): void => {
      if (blanks) for (; next < until; next++) put(next, null);
      next = until;
    };
    cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
      const ids = chunk.formulas;
      for (let i = from; i <= to; i++) {
        const id = ids?.[i] ?? 0;
        if (id > 0) {
          let end = i;
          while (end < to && ids?.[end + 1] === id) end++;
          fill(start + i);
          const template = templates.get(id);
          if (template?.pattern.isKept) {
            // The engine cannot calculate this formula, so the cell's last value is stored with it.
            for (let at = i; at <= end; at++) {
              formulas.push(formulaRun(template, start + at, col, 1, (madeNames ??= namesForStoredFormulas(document))));
              const value = fallbackValue(cells.decode(chunk.tags[at] as number, chunk.nums[at] as number));
              if (value !== undefined) put(start + at, value);
            }
          } else if (template)
            formulas.push(
              formulaRun(template, start + i, col, end - i + 1, (madeNames ??= namesForStoredFormulas(document))),
            );
          next = start + end + 1;
          i = end;
          continue;
        }
        if (id < 0 || chunk.tags[i] === blankTag) continue;
        fill(start + i);
        let end = i;
        while (end <= to && chunk.tags[end] === numberTag && !ids?.[end]) end++;
        // Copy consecutive numbers as a whole, because most large ranges hold only numbers.
        if (end > i) putNumbers(start + i, chunk.nums.subarray(i, end));
        else put(start + i, constantOf(cells.decode(chunk.tags[i] as number, chunk.nums[i] as number)));
        i = Math.max(i, end - 1);
        next = start + i + 1;
      }
    });
    fill(rect.bottom + 1);
  }
  return { ...(values.length > 0 ? { values } : {}), ...(formulas.length > 0 ? { formulas } : {}) };
}

/**
 * Returns the current value of a cell whose formula cannot be calculated, so that it can be stored with the formula.
 * Returns undefined if the cell is blank or has an error that such a formula gives anyway.
 */
function fallbackValue(value: Scalar): Constant | undefined {
  const { name, blocked, ref } = cellErrors;
  return value === null || value === name || value === blocked || value === ref ? undefined : constantOf(value);
}

export function formulaRun(template: Template, row: number, col: number, count: number, names: SheetNames): FormulaRun {
  return runOf(row, col, count, template.text(row, col, names), template.mode);
}

export function columnCountOf(sheet: SubSheet): number {
  let most = 0;
  for (const band of sheet.sheet.cells.bands) if (band.chunks.length > most) most = band.chunks.length;
  return most;
}

export interface PreparedContents {
  readonly values: readonly { readonly row: number; readonly col: number; readonly values: ScalarList }[];
  readonly formulas: readonly {
    readonly row: number;
    readonly col: number;
    readonly count: number;
    readonly template: Template;
    /**
     * True if the contents also include a value for this cell. The cell keeps that value if the formula cannot be
     * calculated.
     */
    readonly keepsValue: boolean;
  }[];
  /** The rectangles that the contents cover. */
  readonly rects: readonly Rect[];
  readonly lastRow: number;
  readonly lastCol: number;
}

/** Parses all values and formulas without writing them, so that an error leaves the document unchanged. */
export function prepareContents(document: SheetDocument, contents: Contents, sheet: SubSheet): PreparedContents {
  const rects: Rect[] = [];
  let lastRow = -1;
  let lastCol = -1;
  const place = (row: number, col: number, count: number): void => {
    if (!Number.isInteger(row) || row < 0 || row + count > maxRows)
      throw new RangeError(`row: ${row} to ${row + count - 1} do not lie between 0 and ${maxRows - 1}`);
    if (!Number.isInteger(col) || col < 0 || col >= maxCols)
      throw new RangeError(`col: ${col} is not between 0 and ${maxCols - 1}`);
    if (!Number.isInteger(count) || count < 1) throw new RangeError(`count: ${count} is not at least 1`);
    rects.push({ top: row, left: col, bottom: row + count - 1, right: col });
    lastRow = Math.max(lastRow, row + count - 1);
    lastCol = Math.max(lastCol, col);
  };
  const placeArray = (row: number, col: number, count: number, size: Exclude<StoredMode, 1>): void => {
    const [rows, cols] = size;
    if (rows > 1 && count > 1) throw new RangeError(`count: ${count} array formulas of ${rows} rows overlap`);
    for (let c = 1; c < cols; c++) place(row, col + c, count + rows - 1);
    if (rows > 1) place(row + 1, col, rows - 1);
  };
  // Keys of the cells that have a value, built only if there are formulas. If a cell has a value and a formula, the
  // value is the last result of the formula.
  const given = contents.formulas?.length ? new Set<number>() : undefined;
  const values = (contents.values ?? []).map(([row, col, list]) => {
    place(row, col, list.length);
    if (given) for (let i = 0; i < list.length; i++) given.add((row + i) * maxCols + col);
    return { row, col, values: numbersOf(list) ?? list.map(scalarOf) };
  });
  const formulas = (contents.formulas ?? []).map(([row, col, count, text, mode]) => {
    const keepsValue = count === 1 && given?.has(row * maxCols + col) === true;
    if (!keepsValue) place(row, col, count);
    if (typeof mode === 'object') placeArray(row, col, count, mode);
    const whole = text.includes('[') ? qualifyTableReferences(document, sheet, row, col, text) : text;
    return { row, col, count, keepsValue, template: templateFor(document, whole, row, col, modeOf(mode)) };
  });
  return { values, formulas, rects, lastRow, lastCol };
}

/**
 * Parses a formula. If it has a syntax error, adds the cell's position to the error, because one call may write
 * thousands of formulas.
 */
function templateFor(document: SheetDocument, text: string, row: number, col: number, mode: Mode): Template {
  try {
    return document.workbook.templates.of(text, row, col, mode);
  } catch (error) {
    if (error instanceof FormulaSyntaxError) error.cell = { row, col };
    throw error;
  }
}

export function writeContents(document: SheetDocument, sheet: SubSheet, contents: PreparedContents): void {
  const { workbook } = document;
  for (const { row, col, values } of contents.values) {
    if (values.length >= longRun) loadColumn(workbook, sheet.sheet, row, col, values);
    else for (let i = 0; i < values.length; i++) workbook.setValue(sheet.sheet, row + i, col, values[i]!);
  }
  for (const { row, col, count, template, keepsValue } of contents.formulas) {
    if (template.pattern.array) clearArray(document, sheet, row, col, count, template.pattern.array);
    for (let i = 0; i < count; i++) workbook.setTemplate(sheet.sheet, row + i, col, template, keepsValue);
    // An array that spilled into these cells is now blocked, so it must be recalculated.
    if (workbook.spills.any(sheet.sheet.id)) workbook.changed.add(sheet.sheet, col, row, row + count - 1);
  }
}

/** Clears the cells that a legacy (Ctrl+Shift+Enter) array formula is about to fill. */
function clearArray(
  document: SheetDocument,
  sheet: SubSheet,
  row: number,
  col: number,
  count: number,
  [rows, cols]: ArraySize,
): void {
  const bottom = row + count + rows - 2;
  if (cols > 1) eraseContents(document, sheet, { top: row, left: col + 1, bottom, right: col + cols - 1 });
  if (rows > 1) eraseContents(document, sheet, { top: row + 1, left: col, bottom, right: col });
}

/**
 * Clears the constants and formulas of a rectangle. Cells that an array fills are skipped, because they belong to its
 * formula.
 */
export function eraseContents(document: SheetDocument, sheet: SubSheet, rect: Rect): void {
  const { workbook } = document;
  const { cells } = sheet.sheet;
  const last = Math.min(rect.right, columnCountOf(sheet) - 1);
  for (let col = rect.left; col <= last; col++) {
    const formulas: number[] = [];
    let first = -1;
    let end = -1;
    cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to, start) => {
      for (let i = from; i <= to; i++) {
        const id = chunk.formulas?.[i] ?? 0;
        if (id > 0) formulas.push(start + i);
        else if (id === 0 && chunk.tags[i] !== blankTag) {
          chunk.tags[i] = blankTag;
          chunk.nums[i] = 0;
          if (first < 0) first = start + i;
          end = start + i;
        }
      }
    });
    if (first >= 0) {
      cells.touch(col);
      workbook.changed.add(sheet.sheet, col, first, end);
    }
    for (const row of formulas) workbook.setValue(sheet.sheet, row, col, null);
  }
}

/**
 * Returns whether all cells of the rectangle are blank. Links and rich text count as content, values spilled by an
 * array do not.
 */
export function isBlank(sheet: SubSheet, rect: Rect): boolean {
  let blank = true;
  const last = Math.min(rect.right, columnCountOf(sheet) - 1);
  for (let col = rect.left; blank && col <= last; col++) {
    sheet.sheet.cells.eachPiece(col, rect.top, rect.bottom, (chunk, from, to) => {
      for (let i = from; blank && i <= to; i++) {
        const id = chunk.formulas?.[i] ?? 0;
        blank = id < 0 || (id === 0 && chunk.tags[i] === blankTag);
      }
    });
  }
  return (
    blank &&
    (sheet.links.size === 0 || sheet.links.list(rect).length === 0) &&
    (sheet.rich.size === 0 || sheet.rich.list(rect).length === 0)
  );
}

export function isEmpty(contents: Contents): boolean {
  return !contents.values && !contents.formulas;
}

/** A value or formula to write to a cell; `null` leaves the cell unchanged. */
export type BlockCell = Constant | { readonly formula: string };
