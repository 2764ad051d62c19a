import { z } from 'zod';
import { fail } from '../operation/errors.ts';
import { double, flag, oneOf, text } from '../operation/fields.ts';
import type { Constant, FormulaRun, ValueRun } from './engine/state/contents.ts';
import { col, row } from './schema.ts';

export const valueTypes = ['STRING', 'NUMBER', 'BOOL', 'FORMULA'] as const;

export const longestText = 32_767;

/** A cell to write, as on the wire. */
export const cellFields = {
  row: row(),
  col: col(),
  value_type: oneOf('Which of the value fields counts.', valueTypes),
  number_value: double('The value of a NUMBER.').optional(),
  string_value: text('The value of a STRING.', { max: longestText }).optional(),
  bool_value: flag('The value of a BOOL.').optional(),
  formula: text('The formula of a FORMULA, with or without =.', { max: 8192 }).optional(),
};

export const cellValue = z.object(cellFields);
export type CellValue = z.output<typeof cellValue>;

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
