import { columnName, maxCols, maxRows, needsQuotes } from '@sheaf/engine';
import { damaged } from '../format-error.ts';
import { BiffReader } from './biff-reader.ts';
import { worksheetFunction } from './worksheet-functions.ts';

/**
 * Thrown for a formula without an equivalent in xlsx. The message completes a sentence that begins with "the formula".
 */
export class UnsupportedFormula extends Error {}

/** Functions that convert the sheet and name indexes in a formula to text. */
export interface FormulaScope {
  /** Returns the prefix of a reference to other sheets, such as `Sheet1!`, or undefined if the sheet was deleted. */
  sheetPrefix(externSheet: number): string | undefined;
  definedName(index: number): string;
  externalName(externSheet: number, index: number): string;
}

/**
 * Cell from which the relative references of a formula are resolved. In .xls files, formulas of cells store addresses.
 * Shared formulas and rules store offsets in special tokens; defined names (`isName`) store offsets in every token.
 */
export interface FormulaOrigin {
  readonly row: number;
  readonly col: number;
  readonly isName?: boolean;
}

const biffRows = 65_536;
const biffCols = 256;
const userDefinedFunction = 255;
const maxOperands = 1024;
const binaryOperators = ['+', '-', '*', '/', '^', '&', '<', '<=', '=', '>=', '>', '<>', ' ', ',', ':'];

const errorTexts: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};

export function biffError(code: number): string {
  return errorTexts[code] ?? '#VALUE!';
}

/**
 * Reads a value of an array constant, or the stored value of a cell in another workbook. Returns undefined if it is
 * empty.
 */
export function readConstant(reader: BiffReader): number | string | boolean | { error: string } | undefined {
  const type = reader.u8();
  if (type === 1) return reader.f64();
  if (type === 2) return reader.text16();
  const value = reader.u8();
  reader.skip(7);
  if (type === 4) return value !== 0;
  return type === 0x10 ? { error: biffError(value) } : undefined;
}

/**
 * Converts the tokens of a BIFF8 formula to the text of an xlsx formula. `extra` holds the array constants, which
 * follow the tokens. Throws UnsupportedFormula if there is no equivalent.
 */
export function formulaText(tokens: Uint8Array, extra: Uint8Array, origin: FormulaOrigin, scope: FormulaScope): string {
  return new FormulaDecoder(tokens, extra, origin, scope).text();
}

class FormulaDecoder {
  readonly #tokens: BiffReader;
  readonly #extra: BiffReader;
  readonly #origin: FormulaOrigin;
  readonly #scope: FormulaScope;
  readonly #stack: string[] = [];

  constructor(tokens: Uint8Array, extra: Uint8Array, origin: FormulaOrigin, scope: FormulaScope) {
    this.#tokens = BiffReader.ofFields(tokens);
    this.#extra = BiffReader.ofFields(extra);
    this.#origin = origin;
    this.#scope = scope;
  }

  text(): string {
    while (this.#tokens.left > 0) {
      const token = this.#tokens.u8();
      // Formula tokens from 0x20 on exist in three classes (reference, value, array) that differ in two bits. The class
      // does not change the text, so these bits are ignored.
      if (token < 0x20) this.#plain(token);
      else this.#operand((token & 0x1f) | 0x20);
      if (this.#stack.length > maxOperands) throw new UnsupportedFormula('is too long');
    }
    if (this.#stack.length !== 1) throw new UnsupportedFormula('is not understood');
    return this.#stack[0]!;
  }

  #pop(): string {
    const operand = this.#stack.pop();
    if (operand === undefined) throw new UnsupportedFormula('is not understood');
    return operand;
  }

  #plain(token: number): void {
    const tokens = this.#tokens;
    const stack = this.#stack;
    if (token >= 0x03 && token <= 0x11) {
      const right = this.#pop();
      stack.push(`${this.#pop()}${binaryOperators[token - 3]}${right}`);
      return;
    }
    switch (token) {
      case 0x12:
      case 0x13:
        stack.push(`${token === 0x12 ? '+' : '-'}${this.#pop()}`);
        break;
      case 0x14:
        stack.push(`${this.#pop()}%`);
        break;
      case 0x15:
        stack.push(`(${this.#pop()})`);
        break;
      case 0x16:
        stack.push('');
        break;
      case 0x17:
        stack.push(quoted(tokens.text8()));
        break;
      case 0x19:
        this.#attribute();
        break;
      case 0x1c:
        stack.push(biffError(tokens.u8()));
        break;
      case 0x1d:
        stack.push(tokens.u8() === 0 ? 'FALSE' : 'TRUE');
        break;
      case 0x1e:
        stack.push(String(tokens.u16()));
        break;
      case 0x1f:
        stack.push(numberText(tokens.f64()));
        break;
      default:
        throw new UnsupportedFormula('is not understood');
    }
  }

  /**
   * Reads an attribute token. Only the short form of SUM produces text; evaluation hints and white space are skipped.
   */
  #attribute(): void {
    const kind = this.#tokens.u8();
    const data = this.#tokens.u16();
    if ((kind & 0x04) !== 0) this.#tokens.skip((data + 1) * 2);
    else if ((kind & 0x10) !== 0) this.#stack.push(`SUM(${this.#pop()})`);
  }

  #operand(token: number): void {
    const tokens = this.#tokens;
    const stack = this.#stack;
    switch (token) {
      case 0x20:
        tokens.skip(7);
        stack.push(this.#arrayConstant());
        break;
      case 0x21: {
        const number = tokens.u16();
        this.#call(number, worksheetFunction(number)?.arity);
        break;
      }
      case 0x22: {
        const count = tokens.u8() & 0x7f;
        this.#call(tokens.u16(), count);
        break;
      }
      case 0x23:
        stack.push(this.#scope.definedName(tokens.u16()));
        tokens.skip(2);
        break;
      case 0x24:
        stack.push(this.#cell(this.#origin.isName === true));
        break;
      case 0x25:
        stack.push(this.#area(this.#origin.isName === true));
        break;
      case 0x26:
        tokens.skip(6);
        this.#extra.skip(this.#extra.u16() * 8);
        break;
      case 0x27:
      case 0x28:
        tokens.skip(6);
        break;
      case 0x29:
        tokens.skip(2);
        break;
      case 0x2a:
        tokens.skip(4);
        stack.push('#REF!');
        break;
      case 0x2b:
        tokens.skip(8);
        stack.push('#REF!');
        break;
      case 0x2c:
        stack.push(this.#cell(true));
        break;
      case 0x2d:
        stack.push(this.#area(true));
        break;
      default:
        this.#sheetOperand(token);
    }
  }

  #sheetOperand(token: number): void {
    const tokens = this.#tokens;
    if (token < 0x39 || token > 0x3d) throw new UnsupportedFormula('is not understood');
    const sheet = tokens.u16();
    if (token === 0x39) {
      this.#stack.push(this.#scope.externalName(sheet, tokens.u16()));
      tokens.skip(2);
      return;
    }
    const prefix = this.#scope.sheetPrefix(sheet);
    let target = '#REF!';
    if (token === 0x3a) target = this.#cell(this.#origin.isName === true);
    else if (token === 0x3b) target = this.#area(this.#origin.isName === true);
    else tokens.skip(token === 0x3c ? 4 : 8);
    this.#stack.push(prefix === undefined ? '#REF!' : prefix + target);
  }

  #call(number: number, count: number | undefined): void {
    const isUserDefined = number === userDefinedFunction;
    const name = isUserDefined ? '' : worksheetFunction(number)?.name;
    if (name === undefined || count === undefined || count > this.#stack.length)
      throw new UnsupportedFormula('calls a function that worksheets do not have');
    const operands = count === 0 ? [] : this.#stack.splice(-count);
    if (isUserDefined) this.#stack.push(`${operands[0] ?? ''}(${operands.slice(1).join(',')})`);
    else this.#stack.push(`${name}(${operands.join(',')})`);
  }

  /**
   * Decodes a cell reference. With `isOffset`, relative parts are offsets from the formula's cell and wrap around the
   * edges of the sheet.
   */
  #resolve(
    row: number,
    bits: number,
    isOffset: boolean,
  ): { row: number; col: number; fixed: [row: boolean, col: boolean] } {
    const fixed: [boolean, boolean] = [(bits & 0x8000) === 0, (bits & 0x4000) === 0];
    const col = bits & 0xff;
    if (!isOffset) return { row, col, fixed };
    const { row: top, col: left, isName } = this.#origin;
    const [rows, cols] = isName ? [maxRows, maxCols] : [biffRows, biffCols];
    const signedRow = (row << 16) >> 16;
    const signedCol = (col << 24) >> 24;
    return {
      row: fixed[0] ? row : (top + signedRow + rows) % rows,
      col: fixed[1] ? col : (left + signedCol + cols) % cols,
      fixed,
    };
  }

  #cell(isOffset: boolean): string {
    const row = this.#tokens.u16();
    const { row: r, col, fixed } = this.#resolve(row, this.#tokens.u16(), isOffset);
    return columnText(col, fixed[1]) + rowText(r, fixed[0]);
  }

  /** Reads an area. Whole columns or rows in the smaller grid of .xls are extended to the grid of xlsx. */
  #area(isOffset: boolean): string {
    const rows = [this.#tokens.u16(), this.#tokens.u16()] as const;
    const cols = [this.#tokens.u16(), this.#tokens.u16()] as const;
    const first = this.#resolve(rows[0], cols[0], isOffset);
    const last = this.#resolve(rows[1], cols[1], isOffset);
    const isAddress = (part: 0 | 1): boolean => !isOffset || (first.fixed[part] && last.fixed[part]);
    const isWholeColumn = isAddress(0) && rows[0] === 0 && rows[1] === biffRows - 1;
    const isWholeRow = isAddress(1) && (cols[0] & 0xff) === 0 && (cols[1] & 0xff) === biffCols - 1;
    if (isWholeColumn && isWholeRow) return `$1:$${maxRows}`;
    if (isWholeColumn) return `${columnText(first.col, first.fixed[1])}:${columnText(last.col, last.fixed[1])}`;
    if (isWholeRow) return `${rowText(first.row, first.fixed[0])}:${rowText(last.row, last.fixed[0])}`;
    const from = columnText(first.col, first.fixed[1]) + rowText(first.row, first.fixed[0]);
    return `${from}:${columnText(last.col, last.fixed[1])}${rowText(last.row, last.fixed[0])}`;
  }

  #arrayConstant(): string {
    const extra = this.#extra;
    const cols = extra.u8() + 1;
    const rows = extra.u16() + 1;
    if (rows * cols > extra.left) throw damaged('an array of a formula is truncated');
    const lines: string[] = [];
    for (let row = 0; row < rows; row++) {
      const line: string[] = [];
      for (let col = 0; col < cols; col++) line.push(constantText(readConstant(extra)));
      lines.push(line.join(','));
    }
    return `{${lines.join(';')}}`;
  }
}

function constantText(value: ReturnType<typeof readConstant>): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value?.error ?? '""';
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return '#NUM!';
  return String(value).toUpperCase();
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function columnText(col: number, isFixed: boolean): string {
  return (isFixed ? '$' : '') + columnName(col);
}

function rowText(row: number, isFixed: boolean): string {
  return `${isFixed ? '$' : ''}${row + 1}`;
}

/**
 * Returns the prefix of a reference to a sheet or a range of sheets. `book` is the bracketed number of an external
 * workbook.
 */
export function sheetPrefixText(first: string, last = first, book = ''): string {
  const name = first === last ? first : `${first}:${last}`;
  if (!needsQuotes(first) && !needsQuotes(last)) return `${book}${name}!`;
  return `'${(book + name).replaceAll("'", "''")}'!`;
}
