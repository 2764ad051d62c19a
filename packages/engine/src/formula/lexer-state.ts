import type { RefPart, SheetKey, SheetNames } from './reference.ts';
import type { TablePart } from './table-reference.ts';
import { FormulaSyntaxError, type LexedFormula, type PatternPart, type Token, type TokenType } from './token.ts';

const placeholders = { number: { hole: 'number' }, text: { hole: 'text' } } as const;

export class LexerState {
  readonly text: string;
  /** The cell that contains the formula. */
  readonly row: number;
  readonly col: number;
  readonly names: SheetNames;
  /** Index of the next character to read. */
  at: number;
  readonly #tokens: Token[] = [];
  readonly #parts: PatternPart[] = [];
  readonly #constants: (number | string)[] = [];
  readonly #texts: string[] = [];
  /** Text read since the last reference or constant; becomes a literal part of the formula. */
  #literal = '';
  #spaced = false;
  #braces = 0;

  constructor(text: string, row: number, col: number, names: SheetNames) {
    this.text = text;
    this.row = row;
    this.col = col;
    this.names = names;
    this.at = text.charCodeAt(0) === 61 ? 1 : 0;
  }

  fail(message: string, position: number): never {
    throw new FormulaSyntaxError(message, this.text, position);
  }

  sheetKey(name: string): SheetKey {
    return this.names.sheetId(name) ?? name;
  }

  /** Appends white space to the literal text and flags the next token as preceded by space. */
  space(written: string): void {
    this.#literal += written;
    this.#spaced = true;
  }

  /**
   * Adds a token that is neither a reference nor a placeholder for a constant. Its text in the formula, `written`,
   * becomes part of the literal text.
   */
  token(type: TokenType, value: string, start: number, written = value, sheet?: SheetKey): void {
    this.#literal += written;
    this.#push(type, value, start, undefined, sheet, undefined);
  }

  operator(op: string, start: number): void {
    if (op === '{') this.#braces++;
    else if (op === '}') this.#braces--;
    this.token('op', op, start);
  }

  reference(ref: RefPart, start: number): void {
    this.#take(ref);
    this.#push('ref', '', start, ref, undefined, undefined);
  }

  table(part: TablePart, start: number): void {
    this.#take(part);
    this.#tokens.push({ type: 'table', text: '', start, spaced: this.#spaced, table: part });
    this.#spaced = false;
  }

  /** Adds a token for the number or text constant from `start` to the current position. */
  constant(type: 'number' | 'text', value: string, constant: number | string, start: number): void {
    const written = this.text.slice(start, this.at);
    // Inside braces, constants stay in the literal text: the elements of an array constant such as {1,2} are not
    // replaced by placeholders.
    if (this.#braces > 0) {
      this.token(type, value, start, written);
      return;
    }
    this.#take(placeholders[type]);
    this.#push(type, value, start, undefined, undefined, this.#constants.length);
    this.#constants.push(constant);
    this.#texts.push(written);
  }

  finish(): LexedFormula {
    if (this.#literal !== '') this.#parts.push(this.#literal);
    this.#push('end', '', this.text.length, undefined, undefined, undefined);
    return { tokens: this.#tokens, parts: this.#parts, constants: this.#constants, texts: this.#texts };
  }

  #take(part: PatternPart): void {
    if (this.#literal !== '') this.#parts.push(this.#literal);
    this.#literal = '';
    this.#parts.push(part);
  }

  #push(
    type: TokenType,
    text: string,
    start: number,
    ref: RefPart | undefined,
    sheet: SheetKey | undefined,
    slot: number | undefined,
  ): void {
    this.#tokens.push({ type, text, start, spaced: this.#spaced, ref, sheet, slot });
    this.#spaced = false;
  }
}
