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
  /** The operator, the canonical name, or the content of a text constant. */
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

/** Placeholder for a number or text constant in the parts of a formula. */
export interface Placeholder {
  readonly hole: 'number' | 'text';
}

/**
 * A piece of a formula's text: literal text, a reference, or a placeholder. Formulas with equal parts share a pattern,
 * and formulas are printed from parts.
 */
export type Part = string | RefPart | TablePart | Placeholder;

export function isRef(part: Part): part is RefPart {
  return typeof part !== 'string' && 'shape' in part;
}

export interface Lexed {
  readonly tokens: readonly Token[];
  readonly parts: readonly Part[];
  /** `constants` are the values of the placeholders in `parts`; `texts` are these values as written in the formula. */
  readonly constants: readonly (number | string)[];
  readonly texts: readonly string[];
}
