import { cellName } from '../../base/address.ts';
import type { RecalcOptions } from '../../workbook/workbook-core.ts';
import type { SheetDocument } from '../document.ts';
import type { Comparison, Validation, ValidationKind } from '../objects/range-objects.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { shownText } from '../display-text.ts';
import { RuleFormulas } from './rule-formulas.ts';
import { choicesOf } from './data-validation.ts';

const maxNamed = 10;
const maxLetters = 60;

const kinds: Readonly<Record<Exclude<ValidationKind, 'list' | 'custom' | 'any'>, string>> = {
  whole: 'a whole number',
  decimal: 'a number',
  date: 'a date',
  time: 'a time',
  length: 'a text with a length',
};

const tests: Readonly<Record<Comparison, string>> = {
  between: 'between',
  not_between: 'not between',
  equal: 'equal to',
  not_equal: 'not equal to',
  greater: 'greater than',
  less: 'less than',
  greater_or_equal: 'greater than or equal to',
  less_or_equal: 'less than or equal to',
};

const patterns: Partial<Record<ValidationKind, string>> = { date: 'yyyy-mm-dd', time: 'hh:mm:ss' };

/** Describes what a validation rule requires, as the end of a sentence: "must be a whole number between 1 and 10". */
export function describeRequirement(
  document: SheetDocument,
  sub: SubSheet,
  rule: Validation,
  row: number,
  col: number,
  options: RecalcOptions = {},
): string {
  const value = sub.sheet.read(row, col);
  if (rule.kind === 'any' || value === null || value === '') return 'must not be blank';
  if (rule.kind === 'list') {
    const choices = choicesOf(document, sub, rule, row, col, options);
    if (choices.length === 0) return 'must be in a list that is empty';
    const more = choices.length > maxNamed ? ` or ${choices.length - maxNamed} more` : '';
    return `must be one of ${choices.slice(0, maxNamed).map(short).join(', ')}${more}`;
  }
  if (rule.kind === 'custom') {
    const [top, left] = rule.regions[0]!;
    const first = row === top && col === left ? '' : ` (written for ${cellName(top, left)})`;
    return `must be one for which the formula =${short(rule.formulas?.[0] ?? '')}${first} is true`;
  }
  const formulas = new RuleFormulas(document, sub, options);
  const shown = (index: number): string =>
    short(shownText(formulas.at(rule, index, row, col), patterns[rule.kind] ?? 'General'));
  const test = rule.test ?? 'between';
  const limits = test.endsWith('between') ? `${shown(0)} and ${shown(1)}` : shown(0);
  return `must be ${kinds[rule.kind]} ${tests[test]} ${limits}`;
}

function short(text: string): string {
  return text.length > maxLetters ? `${text.slice(0, maxLetters)}…` : text;
}
