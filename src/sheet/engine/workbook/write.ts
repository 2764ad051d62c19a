import { checkCell, type WorkbookCore } from './workbook.ts';
import type { Sheet } from '../store/sheet.ts';
import { cellName } from '../base/address.ts';
import { loadColumns, loadMixedColumn } from './load.ts';

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
  /** Of each column with something in it that is not a value as it stands: the templates of its formulas, 0 for a value. */
  readonly templates: readonly (Int32Array | undefined)[];
}

/** Throws before anything is written when one of the rows cannot be. Every formula is read here, and only here. */
export function checkRows(
  core: WorkbookCore,
  row: number,
  col: number,
  rows: readonly (readonly CellInput[])[],
): CheckedRows {
  const templates: (Int32Array | undefined)[] = [];
  for (let r = 0; r < rows.length; r++) {
    const line = rows[r];
    if (!Array.isArray(line)) throw new RangeError(`value: row ${r} must be a list of values`);
    while (templates.length < line.length) templates.push(undefined);
    for (let c = 0; c < line.length; c++) {
      const input = line[c] as CellInput;
      if (typeof input === 'number' && input - input === 0) continue;
      if (typeof input !== 'string') checkInput(input, row + r, col + c);
      else if (needsReading(input)) {
        const ids = (templates[c] ??= new Int32Array(rows.length));
        if (isFormula(input)) ids[r] = core.templates.of(input, row + r, col + c).id;
      }
    }
  }
  if (templates.length > 0) checkCell(row + rows.length - 1, col + templates.length - 1);
  return { rows, width: templates.length, templates };
}

/** Columns are written in bulk. */
export function writeRows(core: WorkbookCore, sheet: Sheet, row: number, col: number, checked: CheckedRows): void {
  const { rows, templates } = checked;
  const plain = [...templates.keys()].filter((c) => templates[c] === undefined);
  loadColumns(core, sheet, row, col, rows, plain);
  for (const [c, ids] of templates.entries()) {
    if (ids) loadMixedColumn(core, sheet, row, col + c, ids, (r) => plainValue(rows[r]![c] ?? null));
  }
}

export function writeCell(core: WorkbookCore, sheet: Sheet, row: number, col: number, input: CellInput): void {
  checkInput(input, row, col);
  if (typeof input === 'string' && isFormula(input)) core.setFormula(sheet, row, col, input);
  else core.setValue(sheet, row, col, plainValue(input ?? null));
}

/** The value of what is not a formula: an apostrophe at the start says so and goes. */
function plainValue(input: CellInput): CellInput {
  return typeof input === 'string' && input.charCodeAt(0) === apostrophe ? input.slice(1) : input;
}
