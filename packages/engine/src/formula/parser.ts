import { functionNamed } from '../functions/index.ts';
import { errorOfText, cellErrors } from '../base/values.ts';
import type { Node } from './ast.ts';
import type { BinaryOperator } from '../base/operators.ts';
import { lex } from './lexer.ts';
import { FormulaSyntaxError, type PatternPart, type Token } from './token.ts';
import type { SheetNames } from './reference.ts';

const maxDepth = 256;
const maxFormulaLength = 32_768;

const binaryPrecedence: Record<string, number> = {
  '=': 1,
  '<>': 1,
  '<': 1,
  '<=': 1,
  '>': 1,
  '>=': 1,
  '&': 2,
  '+': 3,
  '-': 3,
  '*': 4,
  '/': 4,
  '^': 5,
};

export interface ParsedFormula {
  readonly ast: Node;
  readonly parts: readonly PatternPart[];
  readonly constants: readonly (number | string)[];
  readonly texts: readonly string[];
}

/** Parses the text of a formula in cell `row`, `col`, with or without `=`. Throws only FormulaSyntaxError. */
export function parseFormula(text: string, row: number, col: number, names: SheetNames): ParsedFormula {
  if (text.length > maxFormulaLength) {
    throw new FormulaSyntaxError(`The formula is longer than ${maxFormulaLength} characters`, text, maxFormulaLength);
  }
  const { tokens, parts, constants, texts } = lex(text, row, col, names);
  return { ast: new Parser(text, tokens).formula(), parts, constants, texts };
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  formula(): Node {
    const node = this.#expression(0);
    if (this.#peek().type !== 'end') this.#fail('An operator is expected');
    return node;
  }

  #peek(): Token {
    const token = this.#tokens[this.#at];
    if (!token) throw new FormulaSyntaxError('The formula ends too early', this.#text, this.#text.length);
    return token;
  }

  #isOp(op: string): boolean {
    const token = this.#peek();
    return token.type === 'op' && token.text === op;
  }

  #expect(op: string): void {
    if (!this.#isOp(op)) this.#fail(`'${op}' is expected`);
    this.#at++;
  }

  #fail(message: string, token = this.#peek()): never {
    const found = token.type === 'end' ? ', not the end of the formula,' : '';
    throw new FormulaSyntaxError(message + found, this.#text, token.start);
  }

  #enter(): void {
    this.#limit(++this.#depth);
  }

  #limit(levels: number): void {
    if (levels > maxDepth) this.#fail(`The formula is nested deeper than ${maxDepth} levels`);
  }

  #expression(least: number): Node {
    this.#enter();
    let left = this.#unary();
    for (;;) {
      const token = this.#peek();
      const power = token.type === 'op' ? binaryPrecedence[token.text] : undefined;
      if (power === undefined || power <= least) break;
      this.#at++;
      left = { type: 'binary', op: token.text as BinaryOperator, left, right: this.#expression(power) };
    }
    this.#depth--;
    return left;
  }

  /** Parses unary signs, which bind tighter than `^`: -2^2 is 4. */
  #unary(): Node {
    const token = this.#peek();
    if (token.type === 'op' && (token.text === '-' || token.text === '+')) {
      this.#enter();
      this.#at++;
      const arg = this.#unary();
      this.#depth--;
      return { type: 'unary', op: token.text, arg };
    }
    let node = this.#intersection();
    for (let steps = 1; this.#isOp('%'); steps++) {
      this.#limit(steps);
      this.#at++;
      node = { type: 'percent', arg: node };
    }
    return node;
  }

  #intersection(): Node {
    let left = this.#span();
    for (let steps = 1; ; steps++) {
      this.#limit(steps);
      const token = this.#peek();
      const opens =
        token.type === 'ref' ||
        token.type === 'name' ||
        token.type === 'function' ||
        (token.type === 'op' && token.text === '(');
      if (!token.spaced || !opens) return left;
      left = { type: 'intersection', left, right: this.#span() };
    }
  }

  #span(): Node {
    let left = this.#postfix();
    for (let steps = 1; this.#isOp(':'); steps++) {
      this.#limit(steps);
      this.#at++;
      left = { type: 'span', left, right: this.#postfix() };
    }
    return left;
  }

  #postfix(): Node {
    if (this.#isOp('@')) {
      this.#enter();
      this.#at++;
      const arg = this.#postfix();
      this.#depth--;
      return { type: 'single', arg };
    }
    let node = this.#primary();
    for (let steps = 1; ; steps++) {
      this.#limit(steps);
      if (this.#isOp('#')) {
        this.#at++;
        node = { type: 'spilled', arg: node };
      } else if (
        this.#isOp('(') &&
        !this.#peek().spaced &&
        (node.type === 'call' || node.type === 'apply' || node.type === 'name')
      ) {
        node = { type: 'apply', target: node, args: this.#args() };
      } else return node;
    }
  }

  #primary(): Node {
    const token = this.#peek();
    this.#at++;
    switch (token.type) {
      case 'number':
        return { type: 'number', value: Number(token.text), slot: token.slot };
      case 'text':
        return { type: 'text', value: token.text, slot: token.slot };
      case 'logical':
        // `TRUE ()`, with a space, is also accepted as a call of the function TRUE.
        if (this.#isOp('(')) {
          this.#at++;
          this.#expect(')');
        }
        return { type: 'logical', value: token.text === 'TRUE' };
      case 'error':
        return { type: 'error', value: errorOfText(token.text) ?? cellErrors.unknown };
      case 'ref':
        if (token.ref) return { type: 'ref', part: token.ref };
        break;
      case 'name': {
        const next = this.#peek();
        if (next.type === 'op' && next.text === '(' && next.spaced && functionNamed(token.text.toUpperCase())) {
          return this.#call({ ...token, text: token.text.toUpperCase() });
        }
        return { type: 'name', name: token.text, sheet: token.sheet };
      }
      case 'table':
        if (token.table) return { type: 'table', part: token.table };
        break;
      case 'bracket':
        return { type: 'optional', name: token.text.slice(1, -1) };
      case 'function':
        return this.#call(token);
      case 'op':
        if (token.text === '(') return this.#group();
        if (token.text === '{') return this.#array();
        break;
      default:
        break;
    }
    this.#at--;
    return this.#fail('A value is expected', token);
  }

  #call(token: Token): Node {
    const args = this.#args();
    const only = args.length === 1 ? args[0] : undefined;
    if (only && token.text === 'SINGLE') return { type: 'single', arg: only };
    if (only && token.text === 'ANCHORARRAY') return { type: 'spilled', arg: only };
    return { type: 'call', name: token.text, args };
  }

  #args(): Node[] {
    this.#enter();
    this.#expect('(');
    const list: Node[] = [];
    if (this.#isOp(')')) {
      this.#at++;
      this.#depth--;
      return list;
    }
    for (;;) {
      if (this.#isOp(',') || this.#isOp(')')) list.push({ type: 'missing' });
      else list.push(this.#expression(0));
      if (this.#isOp(')')) break;
      if (!this.#isOp(',')) this.#fail("',' or ')' is expected");
      this.#at++;
    }
    this.#at++;
    this.#depth--;
    return list;
  }

  /** Parses parentheses: `(a)` is a, and `(a,b)` is a union of references. */
  #group(): Node {
    const items = [this.#expression(0)];
    while (this.#isOp(',')) {
      this.#at++;
      items.push(this.#expression(0));
    }
    this.#expect(')');
    const [first] = items;
    let node: Node = items.length === 1 && first ? first : { type: 'union', items };
    if (this.#isOp('(') && !this.#peek().spaced && node.type === 'call') {
      node = { type: 'apply', target: node, args: this.#args() };
    }
    return node;
  }

  #array(): Node {
    const rows: Node[][] = [[]];
    for (;;) {
      rows[rows.length - 1]?.push(this.#constant());
      if (this.#isOp(',')) this.#at++;
      else if (this.#isOp(';')) {
        this.#at++;
        rows.push([]);
      } else break;
    }
    this.#expect('}');
    const width = rows[0]?.length;
    if (rows.some((line) => line.length !== width))
      this.#fail('Every row of an array must have as many values as the first');
    return { type: 'array', rows };
  }

  #constant(): Node {
    let sign = 1;
    while (this.#isOp('-') || this.#isOp('+')) {
      if (this.#isOp('-')) sign = -sign;
      this.#at++;
    }
    const token = this.#peek();
    if (token.type === 'ref' && token.ref?.shape === 'lost') {
      this.#at++;
      return { type: 'error', value: cellErrors.ref };
    }
    const allowed =
      token.type === 'number' ||
      (sign === 1 && (token.type === 'text' || token.type === 'logical' || token.type === 'error'));
    if (!allowed) this.#fail('An array holds only constants');
    const node = this.#primary();
    if (node.type !== 'number') return node;
    if (this.#isOp('%')) {
      this.#at++;
      return { type: 'number', value: (sign * node.value) / 100 };
    }
    return { type: 'number', value: sign * node.value };
  }
}
