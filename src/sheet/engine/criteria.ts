import { foldText } from './compare.ts';
import { numberOfText } from './number-text.ts';
import { CellError, errorOfText } from './values.ts';
import type { Scalar } from './values.ts';
import { hasWildcard, plainPattern, wildcardMatcher } from './wildcards.ts';

/** Criteria of SUMIF, COUNTIFS, DSUM and their relatives. */

export type CriterionOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface Criterion {
  readonly operator: CriterionOperator;
  /** Text stays as written, wildcards and `~` included. */
  readonly operand: number | string | boolean | CellError;
  /** False for a criterion without an operator sign: `""` matches empty text too, `"="` only blanks. */
  readonly written: boolean;
}

const SIGNS: readonly CriterionOperator[] = ['<=', '>=', '<>', '=', '<', '>'];

/** A blank criterion stands for 0. Text is split into its operator and a number, boolean, error or pattern. */
export function criterionOf(value: Scalar): Criterion {
  if (value === null) return { operator: '=', operand: 0, written: false };
  if (typeof value !== 'string') return { operator: '=', operand: value, written: false };
  const operator = SIGNS.find((sign) => value.startsWith(sign));
  const rest = operator === undefined ? value : value.slice(operator.length);
  return { operator: operator ?? '=', operand: operandOf(rest), written: operator !== undefined };
}

function operandOf(text: string): Criterion['operand'] {
  if (text === '') return text;
  const number = numberOfText(text);
  if (number !== undefined) return number;
  const upper = text.toUpperCase();
  if (upper === 'TRUE') return true;
  if (upper === 'FALSE') return false;
  return errorOfText(upper) ?? text;
}

/** The test for one cell. A blank cell is given as `null`. */
export function matcher(criterion: Scalar): (value: Scalar) => boolean {
  const { operator, operand, written } = criterionOf(criterion);
  if (operator === '=') return equalTo(operand, written);
  if (operator === '<>') {
    if (typeof operand === 'number') return (value) => value !== operand;
    const same = equalTo(operand, true);
    return (value) => !same(value);
  }
  return ordered(operator, operand);
}

function equalTo(operand: Criterion['operand'], written: boolean): (value: Scalar) => boolean {
  if (typeof operand === 'number') {
    return (value) => value === operand || (typeof value === 'string' && numberOfText(value) === operand);
  }
  if (typeof operand !== 'string') return (value) => value === operand;
  if (operand === '') return written ? (value) => value === null : (value) => value === null || value === '';
  if (!hasWildcard(operand)) {
    const folded = foldText(plainPattern(operand));
    return (value) => typeof value === 'string' && foldText(value) === folded;
  }
  const test = wildcardMatcher(operand);
  return (value) => typeof value === 'string' && test(value);
}

function ordered(operator: CriterionOperator, operand: Criterion['operand']): (value: Scalar) => boolean {
  const accepts = acceptor(operator);
  if (typeof operand === 'number') {
    return (value) => typeof value === 'number' && accepts(value < operand ? -1 : value > operand ? 1 : 0);
  }
  if (typeof operand === 'boolean') {
    return (value) => typeof value === 'boolean' && accepts(Number(value) - Number(operand));
  }
  if (operand instanceof CellError) {
    return (value) => value instanceof CellError && accepts(value.code - operand.code);
  }
  const folded = foldText(operand);
  return (value) => {
    if (typeof value !== 'string') return false;
    const text = foldText(value);
    return accepts(text < folded ? -1 : text > folded ? 1 : 0);
  };
}

function acceptor(operator: CriterionOperator): (order: number) => boolean {
  switch (operator) {
    case '<':
      return (order) => order < 0;
    case '<=':
      return (order) => order <= 0;
    case '>':
      return (order) => order > 0;
    default:
      return (order) => order >= 0;
  }
}
