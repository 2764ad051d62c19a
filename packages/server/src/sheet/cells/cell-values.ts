import { z } from 'zod';
import { atOnce } from '../../lib/in-turns.ts';
import { fail } from '../../operation/errors.ts';
import { double, flag, oneOf, text } from '../../operation/fields.ts';
import { orderOf } from './cell-order.ts';
import { cellsAtOnce } from './packed-contents.ts';
import type { Constant, FormulaRun, ValueRun } from '@sheaf/engine/internal/document';
import { maxCols, maxRows } from '@sheaf/engine';
import { col, row } from '../schema.ts';

const valueTypes = ['STRING', 'NUMBER', 'BOOL', 'FORMULA'] as const;

export const maxTextLength = 32_767;
export const maxFormulaLength = 8192;

/** Input fields of a cell to write. */
export const cellFields = {
  row: row(),
  col: col(),
  value_type: oneOf('Type, which determines the value field that is used.', valueTypes),
  number_value: double('The value of a NUMBER.').optional(),
  string_value: text('The value of a STRING.', { max: maxTextLength }).optional(),
  bool_value: flag('The value of a BOOL.').optional(),
  formula: text('The formula of a FORMULA, with or without =.', { max: maxFormulaLength }).optional(),
};

export const cellValue = z.object(cellFields);
export type CellValue = z.output<typeof cellValue>;

/**
 * Returns the cells if all are valid in the simplest form, else undefined, so that the schema parses them and reports
 * errors. Calls with twenty thousand cells are common, and the schema would take longer than the engine. Unknown fields
 * stay on the cells; `contentsOf` ignores them.
 */
export function plainCells(values: unknown): CellValue[] | undefined {
  return atOnce(plainCellSteps(values));
}

export function* plainCellSteps(values: unknown): Generator<void, CellValue[] | undefined> {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  for (let i = 0; i < values.length; i++) {
    if (!isPlain(values[i])) return undefined;
    if (i % cellsAtOnce === cellsAtOnce - 1) yield;
  }
  return values as CellValue[];
}

/**
 * True if the cell has only the fields that its type needs. The schema handles cells with other fields, since it must
 * check their types too.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const {
    row: r,
    col: c,
    value_type,
    number_value,
    string_value,
    bool_value,
    formula,
  } = value as Record<keyof CellValue, unknown>;
  if (!isIndex(r, maxRows) || !isIndex(c, maxCols)) return false;
  switch (value_type) {
    case 'NUMBER':
      return Number.isFinite(number_value) && !isGiven(string_value) && !isGiven(bool_value) && !isGiven(formula);
    case 'STRING':
      return isText(string_value, maxTextLength) && !isGiven(number_value) && !isGiven(bool_value) && !isGiven(formula);
    case 'FORMULA':
      return (
        isText(formula, maxFormulaLength) && !isGiven(number_value) && !isGiven(string_value) && !isGiven(bool_value)
      );
    case 'BOOL':
      return typeof bool_value === 'boolean' && !isGiven(number_value) && !isGiven(string_value) && !isGiven(formula);
    default:
      return false;
  }
}

/** False for undefined and null: a null in an optional field counts as absent (operation/nulls.ts). */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isIndex(value: unknown, limit: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit;
}

type Path = (index: number) => string;

function missing(field: keyof CellValue, cell: CellValue, path: Path, index: number): never {
  throw fail('invalid_parameter', `${path(index)}${field}: is required when value_type is ${cell.value_type}`);
}

/** The content of an input cell; throws if the value field of its type is missing. */
function contentOf(cell: CellValue, path: Path, index: number): Content {
  switch (cell.value_type) {
    case 'NUMBER':
      return cell.number_value ?? missing('number_value', cell, path, index);
    case 'STRING':
      return cell.string_value ?? missing('string_value', cell, path, index);
    case 'BOOL':
      return cell.bool_value ?? missing('bool_value', cell, path, index);
    case 'FORMULA': {
      const formula = cell.formula ?? missing('formula', cell, path, index);
      const trimmed = formula.trim();
      if (trimmed === '' || trimmed === '=')
        throw fail('invalid_parameter', `${path(index)}formula: must not be empty`);
      return { formula: formula.startsWith('=') ? formula : `=${formula}` };
    }
  }
}

export interface CellContents {
  readonly values: readonly ValueRun[];
  readonly formulas: readonly FormulaRun[];
}

export type Content = number | string | boolean | { formula: string };

/** Groups cells into vertical runs, the form that mutations use. For a duplicate cell, the last value wins. */
export function contentsOf(cells: readonly CellValue[], path: Path): CellContents {
  return atOnce(contentSteps(cells, path));
}

export function* contentSteps(cells: readonly CellValue[], path: Path): Generator<void, CellContents> {
  const rows = new Int32Array(cells.length);
  const cols = new Int32Array(cells.length);
  for (let i = 0; i < cells.length; i++) {
    rows[i] = cells[i]!.row;
    cols[i] = cells[i]!.col;
  }
  return yield* runsOf(rows, cols, (index) => contentOf(cells[index]!, path, index));
}

/** Like `contentsOf`, with contents given by index. */
export function* runsOf(
  rows: Int32Array,
  cols: Int32Array,
  contentAt: (index: number) => Content,
): Generator<void, CellContents> {
  const runs = new Runs();
  const order = orderOf(rows, cols);
  if (order) yield;
  for (let i = 0; i < rows.length; i++) {
    const index = order ? order[i]! : i;
    const next = order?.[i + 1];
    // For a duplicate cell, the last value wins.
    if (next === undefined || rows[index] !== rows[next] || cols[index] !== cols[next])
      runs.put(rows[index]!, cols[index]!, contentAt(index));
    if (i % cellsAtOnce === cellsAtOnce - 1) yield;
  }
  yield;
  return { values: runs.values, formulas: runs.formulas };
}

class Runs {
  readonly values: [number, number, Constant[]][] = [];
  readonly formulas: FormulaRun[] = [];
  #last: [number, number, Constant[]] | undefined;

  put(row: number, col: number, content: Content): void {
    if (typeof content === 'object') {
      this.formulas.push([row, col, 1, content.formula]);
      return;
    }
    let run = this.#last;
    if (!run || run[1] !== col || run[0] + run[2].length !== row) {
      this.#last = run = [row, col, []];
      this.values.push(run);
    }
    run[2].push(content === '' ? null : content);
  }
}
