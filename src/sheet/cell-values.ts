import { z } from 'zod';
import { fail } from '../operation/errors.ts';
import { double, flag, oneOf, text } from '../operation/fields.ts';
import type { Constant, FormulaRun, ValueRun } from './engine/state/contents.ts';
import { col, maxCols, maxRows, row } from './schema.ts';

export const valueTypes = ['STRING', 'NUMBER', 'BOOL', 'FORMULA'] as const;

export const longestText = 32_767;
const longestFormula = 8192;

/** A cell to write, as on the wire. */
export const cellFields = {
  row: row(),
  col: col(),
  value_type: oneOf('Which of the value fields counts.', valueTypes),
  number_value: double('The value of a NUMBER.').optional(),
  string_value: text('The value of a STRING.', { max: longestText }).optional(),
  bool_value: flag('The value of a BOOL.').optional(),
  formula: text('The formula of a FORMULA, with or without =.', { max: longestFormula }).optional(),
};

export const cellValue = z.object(cellFields);
export type CellValue = z.output<typeof cellValue>;

/**
 * A list of cells when every one of them is plainly right, else undefined: the schema then reads them and says what is wrong.
 * Twenty thousand cells a call are common, and the schema takes longer for them than the engine.
 */
export function plainCells(values: unknown): CellValue[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const cells: CellValue[] = [];
  for (const one of values as Record<string, unknown>[]) {
    if (typeof one !== 'object' || one === null) return undefined;
    const { row: r, col: c, value_type: type } = one;
    if (!isIndex(r, maxRows) || !isIndex(c, maxCols)) return undefined;
    if (type === 'NUMBER' && Number.isFinite(one['number_value'])) cells.push({ row: r, col: c, value_type: type, number_value: one['number_value'] as number });
    else if (type === 'STRING' && isText(one['string_value'], longestText)) cells.push({ row: r, col: c, value_type: type, string_value: one['string_value'] });
    else if (type === 'FORMULA' && isText(one['formula'], longestFormula)) cells.push({ row: r, col: c, value_type: type, formula: one['formula'] });
    else if (type === 'BOOL' && typeof one['bool_value'] === 'boolean') cells.push({ row: r, col: c, value_type: type, bool_value: one['bool_value'] });
    else return undefined;
    if (hasOtherValue(one, type)) return undefined;
  }
  return cells;
}

const valueFields = { NUMBER: 'number_value', STRING: 'string_value', BOOL: 'bool_value', FORMULA: 'formula' };

/** A field that does not count must still be of its type: the schema judges cells that send several. */
function hasOtherValue(cell: Record<string, unknown>, type: keyof typeof valueFields): boolean {
  for (const [name, field] of Object.entries(valueFields)) if (name !== type && cell[field] !== undefined) return true;
  return false;
}

function isIndex(value: unknown, limit: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit;
}

/** What a wire cell means, or which field it lacks. */
export function contentOf(cell: CellValue, path: string): { value: Constant } | { formula: string } {
  const missing = (field: string): never => {
    throw fail('invalid_parameter', `${path}${field}: is required when value_type is ${cell.value_type}`);
  };
  switch (cell.value_type) {
    case 'NUMBER':
      return { value: cell.number_value ?? missing('number_value') };
    case 'STRING':
      return { value: cell.string_value ?? missing('string_value') };
    case 'BOOL':
      return { value: cell.bool_value ?? missing('bool_value') };
    case 'FORMULA': {
      const formula = cell.formula ?? missing('formula');
      if (formula.trim() === '' || formula.trim() === '=') throw fail('invalid_parameter', `${path}formula: must not be empty`);
      return { formula: formula.startsWith('=') ? formula : `=${formula}` };
    }
  }
}

/** Cells as runs down columns, which is how mutations carry them. A cell given twice has its last value. */
export function contentsOf(cells: readonly CellValue[], path: (index: number) => string): { values: ValueRun[]; formulas: FormulaRun[] } {
  const byPlace = new Map<number, { row: number; col: number; content: { value: Constant } | { formula: string } }>();
  cells.forEach((cell, index) => byPlace.set(cell.col * 2 ** 21 + cell.row, { row: cell.row, col: cell.col, content: contentOf(cell, path(index)) }));
  const sorted = [...byPlace.entries()].sort(([a], [b]) => a - b);
  const values: [number, number, Constant[]][] = [];
  const formulas: FormulaRun[] = [];
  let run: [number, number, Constant[]] | undefined;
  for (const [, { row: r, col: c, content }] of sorted) {
    if ('formula' in content) {
      formulas.push([r, c, 1, content.formula]);
      continue;
    }
    if (!run || run[1] !== c || run[0] + run[2].length !== r) {
      run = [r, c, []];
      values.push(run);
    }
    run[2].push(content.value === '' ? null : content.value);
  }
  return { values, formulas };
}
