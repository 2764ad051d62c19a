import { foldText } from '../../base/compare.ts';
import { CellError, Matrix, type Scalar } from '../../base/values.ts';
import type { RecalcOptions } from '../../workbook/workbook-core.ts';
import type { SheetDocument } from '../document.ts';
import type { Validation } from '../objects/range-objects.ts';
import { storedText } from '../display-text.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { satisfiesComparison } from './conditional-formats.ts';
import { RuleFormulas } from './rule-formulas.ts';

/**
 * Returns the validation rule that applies to a cell, or undefined. If several rules cover the cell, the last one set
 * applies.
 */
export function validationAt(sub: SubSheet, row: number, col: number): Validation | undefined {
  return sub.validations.findLast(({ regions }) =>
    regions.some(([top, left, bottom, right]) => row >= top && row <= bottom && col >= left && col <= right),
  );
}

export function isValid(
  document: SheetDocument,
  sub: SubSheet,
  rule: Validation,
  row: number,
  col: number,
  options: RecalcOptions = {},
): boolean {
  const value = sub.sheet.read(row, col);
  if (value === null || value === '') return rule.required !== true;
  const formulas = new RuleFormulas(document, sub, options);
  const operand = (index: number): Scalar => (rule.formulas?.[index] ? formulas.at(rule, index, row, col) : null);
  const compared = (of: Scalar): boolean => satisfiesComparison(of, rule.test ?? 'between', operand(0), operand(1));
  switch (rule.kind) {
    case 'any':
      return true;
    case 'custom': {
      const result = operand(0);
      return result === true || (typeof result === 'number' && result !== 0);
    }
    case 'list': {
      const choices = choicesOf(document, sub, rule, row, col, options);
      const text = storedText(value);
      // As in Excel, letter case counts only if the choices are written out in the rule.
      return choices.includes(text) || (!writtenChoices(rule) && choices.map(foldText).includes(foldText(text)));
    }
    case 'length':
      return !(value instanceof CellError) && compared([...storedText(value)].length);
    case 'whole':
      return typeof value === 'number' && Number.isInteger(value) && compared(value);
    default:
      return typeof value === 'number' && compared(value);
  }
}

const maxChoices = 10_000;

/** Returns the choices of a list that is written out in the rule, as in `"Yes,No"`, otherwise undefined. */
function writtenChoices({ formulas = [] }: Validation): string[] | undefined {
  return /^"([\s\S]*)"$/
    .exec(formulas[0] ?? '')?.[1]
    ?.replaceAll('""', '"')
    .split(',')
    .map((one) => one.trim());
}

export function choicesOf(
  document: SheetDocument,
  sub: SubSheet,
  rule: Validation,
  row: number,
  col: number,
  options: RecalcOptions = {},
): string[] {
  const written = writtenChoices(rule);
  if (written) return written;
  const result = new RuleFormulas(document, sub, options).matrix(rule, 0, row, col);
  if (!(result instanceof Matrix)) return result === null || result instanceof CellError ? [] : [storedText(result)];
  const found: string[] = [];
  for (let r = 0; r < result.rows; r++) {
    for (let c = 0; c < result.cols && found.length < maxChoices; c++) {
      const value = result.at(r, c) ?? null;
      if (value !== null && value !== '') found.push(storedText(value));
    }
  }
  return found;
}
