import type { CellAddress } from '../base/address.ts';
import type { RefPart, SheetKey } from './reference.ts';
import type { TablePart } from './table-part.ts';

/** Formula text that cannot be read. `position` counts characters from 0, the `=` included. */
export class FormulaSyntaxError extends Error {
  readonly position: number;
  readonly formula: string;
  /** The cell it was meant for, where it was meant for one. */
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
  /** Operator, canonical name, or the content of a string. */
  readonly text: string;
  readonly start: number;
  /** White space stood before it. */
  readonly spaced: boolean;
  readonly ref?: RefPart;
  readonly table?: TablePart;
  readonly sheet?: SheetKey;
  /** Which of the formula's constants it is. */
  readonly slot?: number;
}

/** The place of a number or text written in a formula. */
export interface Hole {
  readonly hole: 'number' | 'text';
}

/** The formula's text with its references and constants taken out: what formulas share and print from. */
export type Part = string | RefPart | TablePart | Hole;

export function isRef(part: Part): part is RefPart {
  return typeof part !== 'string' && 'shape' in part;
}

export interface Lexed {
  readonly tokens: readonly Token[];
  readonly parts: readonly Part[];
  /** What belongs into the holes, and how it was written. */
  readonly constants: readonly (number | string)[];
  readonly texts: readonly string[];
}
