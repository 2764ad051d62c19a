import { checkCell, type WorkbookCore } from './workbook.ts';
import type { Sheet } from '../store/sheet.ts';
import { cellName } from '../base/address.ts';
import { loadColumn, loadRows } from './load.ts';

/** A number, a text, a logical or nothing. Text that begins with `=` is a formula, after an apostrophe it is text as it stands. */
export type CellInput = number | string | boolean | null;

const equals = 61;
const apostrophe = 39;

/** Neither of the two is a value as it stands. */
function needsReading(input: CellInput | undefined): input is string {
  if (typeof input !== 'string') return false;
  const first = input.length === 0 ? 0 : input.charCodeAt(0);
  return first === equals || first === apostrophe;
}

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

/** Rows that can be written. */
export interface CheckedRows {
  readonly rows: readonly (readonly CellInput[])[];
  readonly width: number;
  /** Columns with something in them that is not a value as it stands. */
  readonly mixed: readonly boolean[];
}

/**
 * Throws before anything is written when one of the rows cannot be. Without `core` formulas are not tried: for a workbook
 * that is thrown away when one of them is bad.
 */
export function checkRows(
  core: WorkbookCore | undefined,
  row: number,
  col: number,
  rows: readonly (readonly CellInput[])[],
): CheckedRows {
  const mixed: boolean[] = [];
  for (let r = 0; r < rows.length; r++) {
    const line = rows[r];
    if (!Array.isArray(line)) throw new RangeError(`value: row ${r} must be a list of values`);
    while (mixed.length < line.length) mixed.push(false);
    for (let c = 0; c < line.length; c++) {
      const input = line[c] as CellInput;
      if (typeof input === 'number' && input - input === 0) continue;
      if (typeof input !== 'string') checkInput(input, row + r, col + c);
      else if (needsReading(input)) {
        mixed[c] = true;
        if (core && isFormula(input)) core.templates.of(input, row + r, col + c);
      }
    }
  }
  if (mixed.length > 0) checkCell(row + rows.length - 1, col + mixed.length - 1);
  return { rows, width: mixed.length, mixed };
}

/** Columns of plain values are written in bulk. */
export function writeRows(core: WorkbookCore, sheet: Sheet, row: number, col: number, checked: CheckedRows): void {
  const { rows, width, mixed } = checked;
  if (!mixed.includes(true)) {
    loadRows(core, sheet, row, col, rows);
    return;
  }
  for (let c = 0; c < width; c++) {
    if (mixed[c]) for (let r = 0; r < rows.length; r++) put(core, sheet, row + r, col + c, rows[r]![c] ?? null);
    else {
      const values = rows.map((line) => line[c] ?? null);
      loadColumn(core, sheet, row, col + c, values);
    }
  }
}

export function writeCell(core: WorkbookCore, sheet: Sheet, row: number, col: number, input: CellInput): void {
  checkInput(input, row, col);
  put(core, sheet, row, col, input ?? null);
}

function put(core: WorkbookCore, sheet: Sheet, row: number, col: number, input: CellInput): void {
  if (!needsReading(input)) core.setValue(sheet, row, col, input);
  else if (isFormula(input)) core.setFormula(sheet, row, col, input);
  else core.setValue(sheet, row, col, input.charCodeAt(0) === apostrophe ? input.slice(1) : input);
}
