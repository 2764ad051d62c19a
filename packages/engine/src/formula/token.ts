import type { CellAddress } from '../base/address.ts';
import type { RefPart, SheetKey } from './reference.ts';
import type { TablePart } from './table-reference.ts';

/**
 * Reports formula text that cannot be parsed. `position` is a zero-based character index that includes the leading `=`.
 */
export class FormulaSyntaxError extends Error {
  readonly position: number;
  readonly formula: string;
  /** The cell that the formula was entered in, if known. */
  cell?: CellAddress;
  constructor(message: string, formula: string, position: number) {
    super(`${message} at character ${position + 1}`);
    this.name = 'FormulaSyntaxError';
    this.position = position;
    this.formula = formula;
  }
}

export type TokenType =
  | 'number'
  | 'text'
  | 'logical'
  | 'error'
  | 'ref'
  | 'name'
  | 'function'
  | 'bracket'
  | 'table'
  | 'op'
  | 'end';

export interface Token {
  readonly type: TokenType;
  /**
   * Text of the token; empty for references, tables and the end of the formula. Operators, numbers and text in brackets
   * are as written in the formula. Text constants are without quotation marks. TRUE, FALSE, error values and names of
   * functions are in upper case. Defined names are without the sheet name before them. Prefixes that XLSX files put
   * before names, such as `_xlfn.`, are removed in most cases.
   */
  readonly text: string;
  readonly start: number;
  /** True if white space precedes the token. */
  readonly spaced: boolean;
  readonly ref?: RefPart;
  readonly table?: TablePart;
  readonly sheet?: SheetKey;
  /** Index of the constant among the formula's constants. */
  readonly slot?: number;
}

/**
 * Stands for a number or text constant in the parts of a formula. The value of the constant is stored separately, so
 * that formulas that differ only in constants have equal parts.
 */
export interface Placeholder {
  readonly hole: 'number' | 'text';
}

/**
 * A piece of a formula's text: literal text, a reference, or a placeholder for a constant. Formulas with equal parts
 * share one pattern (the compiled formula). The text of a formula is printed from its parts.
 */
export type PatternPart = string | RefPart | TablePart | Placeholder;

export function isRef(part: PatternPart): part is RefPart {
  return typeof part !== 'string' && 'shape' in part;
}

export interface LexedFormula {
  readonly tokens: readonly Token[];
  readonly parts: readonly PatternPart[];
  /** `constants` are the values of the placeholders in `parts`; `texts` are these values as written in the formula. */
  readonly constants: readonly (number | string)[];
  readonly texts: readonly string[];
}
