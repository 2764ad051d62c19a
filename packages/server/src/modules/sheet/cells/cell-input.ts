import { z } from 'zod';
import { runWithoutYielding } from '../../../lib/event-loop.ts';
import { invalid } from '../errors.ts';
import { double, flag, oneOf, text } from '../../../kernel/field-schemas.ts';
import { sortCellIndexes } from './cell-order.ts';
import { cellsPerSlice } from './packed-contents.ts';
import type { Constant, FormulaRun, ValueRun } from '@sheaf/engine/internal/document';
import { maxCols, maxRows } from '@sheaf/engine';
import { colField, rowField } from '../schema.ts';

const valueTypes = ['STRING', 'NUMBER', 'BOOL', 'FORMULA'] as const;

export const maxTextLength = 32_767;
export const maxFormulaLength = 8192;

export const cellFields = {
  row: rowField(),
  col: colField(),
  value_type: oneOf('Which value field applies.', valueTypes),
  number_value: double('For NUMBER.').optional(),
  string_value: text('For STRING.', { max: maxTextLength }).optional(),
  bool_value: flag('For BOOL.').optional(),
  formula: text('For FORMULA; = is optional.', { max: maxFormulaLength }).optional(),
};

export const cellValue = z.object(cellFields);
export type CellValue = z.output<typeof cellValue>;

/**
 * Returns the cells if all of them have the simplest valid form; otherwise undefined, and the caller validates them
 * with the schema. The schema is too slow for the common calls with twenty thousand cells.
 */
export function* acceptValidCellsSteps(values: unknown): Generator<void, CellValue[] | undefined> {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  for (let i = 0; i < values.length; i++) {
    if (!isValidCell(values[i])) return undefined;
    if (i % cellsPerSlice === cellsPerSlice - 1) yield;
  }
  return values as CellValue[];
}

/**
 * Returns whether the cell is valid and has exactly one value field, which fits its type. All other cells are validated
 * with the schema.
 */
export function isValidCell(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { row, col, value_type, number_value, string_value, bool_value, formula } = value as Record<string, unknown>;
  if (!isIndex(row, maxRows) || !isIndex(col, maxCols)) return false;
  // A cell with several value fields is validated with the schema, which checks the type of each field.
  const values = Number(isPresent(number_value)) + Number(isPresent(string_value)) + Number(isPresent(bool_value));
  if (values + Number(isPresent(formula)) !== 1) return false;
  switch (value_type) {
    case 'NUMBER':
      return Number.isFinite(number_value);
    case 'STRING':
      return isText(string_value, maxTextLength);
    case 'FORMULA':
      return isText(formula, maxFormulaLength);
    case 'BOOL':
      return typeof bool_value === 'boolean';
    default:
      return false;
  }
}

/** Returns whether an optional field has a value. A null counts as absent (kernel/strip-nulls.ts). */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isIndex(value: unknown, limit: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit;
}

type Path = (index: number) => string;

const valueFields = {
  NUMBER: 'number_value',
  STRING: 'string_value',
  BOOL: 'bool_value',
  FORMULA: 'formula',
} as const;

/**
 * Returns the content of an input cell. Throws if the field that its `value_type` requires is missing, or the formula
 * is empty.
 */
function contentOf(cell: CellValue, path: Path, index: number): CellContent {
  const field = valueFields[cell.value_type];
  const value = cell[field];
  if (!isPresent(value)) throw invalid(`${path(index)}${field}: is required when value_type is ${cell.value_type}`);
  if (field !== 'formula') return value!;
  const formula = value as string;
  const trimmed = formula.trim();
  if (trimmed === '' || trimmed === '=') throw invalid(`${path(index)}formula: must not be empty`);
  return { formula: formula.startsWith('=') ? formula : `=${formula}` };
}

export interface CellContents {
  readonly values: readonly ValueRun[];
  readonly formulas: readonly FormulaRun[];
}

export type CellContent = number | string | boolean | { formula: string };

/**
 * Groups cells into runs of vertically adjacent cells, the form that mutations use. If a cell occurs twice, the last
 * value is used.
 */
export function groupIntoRuns(cells: readonly CellValue[], path: Path): CellContents {
  const [first] = cells;
  if (cells.length !== 1 || !first) return runWithoutYielding(groupIntoRunsSteps(cells, path));
  const runs = new RunBuilder();
  runs.put(first.row, first.col, contentOf(first, path, 0));
  return { values: runs.values, formulas: runs.formulas };
}

export function* groupIntoRunsSteps(cells: readonly CellValue[], path: Path): Generator<void, CellContents> {
  const rows = new Int32Array(cells.length);
  const cols = new Int32Array(cells.length);
  for (let i = 0; i < cells.length; i++) {
    rows[i] = cells[i]!.row;
    cols[i] = cells[i]!.col;
  }
  return yield* groupContentsSteps(rows, cols, (index) => contentOf(cells[index]!, path, index));
}

/**
 * Groups cells into runs of vertically adjacent cells. The cell at index i has row `rows[i]`, column `cols[i]` and
 * content `contentAt(i)`.
 */
export function* groupContentsSteps(
  rows: Int32Array,
  cols: Int32Array,
  contentAt: (index: number) => CellContent,
): Generator<void, CellContents> {
  const runs = new RunBuilder();
  const order = sortCellIndexes(rows, cols);
  if (order) yield;
  // The loop is a separate function because V8 optimizes functions better than generators.
  const putSlice = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const index = order ? order[i]! : i;
      const next = order?.[i + 1];
      // If a cell occurs twice, only the last value is used.
      if (next === undefined || rows[index] !== rows[next] || cols[index] !== cols[next])
        runs.put(rows[index]!, cols[index]!, contentAt(index));
    }
  };
  for (let from = 0; from < rows.length; from += cellsPerSlice) {
    putSlice(from, Math.min(rows.length, from + cellsPerSlice));
    yield;
  }
  return { values: runs.values, formulas: runs.formulas };
}

/**
 * Builds runs of vertically adjacent cells. Callers must add the cells column by column, and within each column from
 * top to bottom.
 */
export class RunBuilder {
  readonly values: [number, number, Constant[]][] = [];
  readonly formulas: FormulaRun[] = [];
  #last: [number, number, Constant[]] | undefined;

  put(row: number, col: number, content: CellContent): void {
    if (typeof content === 'object') {
      this.formulas.push([row, col, 1, content.formula]);
      return;
    }
    this.addValue(row, col, content === '' ? null : content);
  }

  addValue(row: number, col: number, value: Constant): void {
    let run = this.#last;
    if (!run || run[1] !== col || run[0] + run[2].length !== row) {
      this.#last = run = [row, col, []];
      this.values.push(run);
    }
    run[2].push(value);
  }
}
