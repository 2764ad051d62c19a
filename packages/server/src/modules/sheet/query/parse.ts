import type {
  BinaryOp,
  Expression,
  JoinClause,
  NamedQuery,
  Query,
  SelectItem,
  SortKey,
  TableSource,
  WindowClause,
} from './ast.ts';
import { QueryError, Scanner, type Token } from './scanner.ts';
import { describeAlternative, unsupported } from './unsupported-sql.ts';

/**
 * Maximum nesting depth of expressions and subqueries. It keeps the parser's recursion within the call stack, and real
 * queries are less deep.
 */
const maxDepth = 100;
const maxItems = 1000;

/** Parses a SELECT statement. Throws QueryError for invalid syntax. */
export function parseQuery(text: string): Query {
  return new Parser(text).whole();
}

/** Parses a condition such as `Price <= 90 and State = "done"`. Throws QueryError for invalid syntax. */
export function parseCondition(text: string): Expression {
  return new Parser(text).condition();
}

const reservedWords = new Set(
  (
    'from where group having order limit offset join inner left on as union and or then when else end asc desc not in ' +
    'is like between over partition with right full cross natural using intersect except window fetch'
  ).split(' '),
);
const comparisons: Readonly<Record<string, BinaryOp>> = {
  '=': '=',
  '==': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

class Parser {
  readonly #scanner: Scanner;
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new Scanner(text);
  }

  condition(): Expression {
    const found = this.#expression();
    this.#end();
    return found;
  }

  whole(): Query {
    const query = this.#query();
    this.#isOp(';');
    this.#end();
    return query;
  }

  #query(): Query {
    if (++this.#depth > maxDepth) throw new QueryError(`nested more than ${maxDepth} deep`, this.#scanner.last);
    const named = this.#isWord('with') ? this.#items(() => this.#namedQuery()) : [];
    this.#refuse(unsupported.statements);
    this.#word('select');
    const distinct = this.#isWord('distinct');
    const select = this.#items(() => this.#selected());
    this.#word('from');
    const from = this.#source();
    const joins: JoinClause[] = [];
    for (let join = this.#join(); join; join = this.#join()) joins.push(join);
    const where = this.#isWord('where') ? this.#expression() : undefined;
    const groupBy = this.#isWord('group') ? this.#listBy(() => this.#expression()) : [];
    const having = this.#isWord('having') ? this.#expression() : undefined;
    const orderBy = this.#isWord('order') ? this.#listBy(() => this.#sortKey()) : [];
    const limit = this.#isWord('limit') ? this.#wholeNumber() : undefined;
    const offset = this.#isWord('offset') ? this.#wholeNumber() : 0;
    this.#refuse(unsupported.clauses);
    this.#depth--;
    return { named, select, distinct, from, joins, where, groupBy, having, orderBy, limit, offset };
  }

  /** Parses `name as (select ...)`. */
  #namedQuery(): NamedQuery {
    this.#refuse(['recursive']);
    const name = this.#name();
    this.#word('as');
    return { name, query: this.#queryInParentheses() };
  }

  #queryInParentheses(): Query {
    this.#op('(');
    const query = this.#query();
    this.#op(')');
    return query;
  }

  #listBy<Item>(item: () => Item): Item[] {
    this.#word('by');
    return this.#items(item);
  }

  /**
   * Throws if the next token is one of `words`, which exist in other SQL dialects but not in this query language. The
   * error message names an alternative.
   */
  #refuse(words: readonly string[]): void {
    const token = this.#scanner.peek();
    if (token.kind !== 'word' && token.kind !== 'op') return;
    const word = token.text.toLowerCase();
    if (words.includes(word)) throw new QueryError(describeAlternative(word), token.start);
  }

  #selected(): SelectItem {
    const start = this.#scanner.peek();
    if (this.#isOp('*')) return { expression: undefined, alias: undefined, text: '*' };
    const expression = this.#expression();
    if (expression.kind === 'column' && expression.name === '*')
      return { expression: undefined, alias: undefined, text: '*', table: expression.table! };
    const text = this.#text.slice(start.start, this.#scanner.last).trim();
    return { expression, alias: this.#alias(), text };
  }

  #alias(): string | undefined {
    if (this.#isWord('as')) return this.#name();
    const token = this.#scanner.peek();
    const isName = token.kind === 'name' || (token.kind === 'word' && !reservedWords.has(token.text.toLowerCase()));
    return isName ? this.#name() : undefined;
  }

  #source(): TableSource {
    if (this.#scanner.startsGroup()) return { address: '', query: this.#queryInParentheses(), alias: this.#alias() };
    const address = this.#scanner.address();
    if (address === '') throw this.#scanner.refuse('a range, sub-sheet or name, e.g. A1:D200');
    return { address, alias: this.#alias() };
  }

  #join(): JoinClause | undefined {
    let kind: JoinClause['kind'] = 'inner';
    if (this.#isWord('left')) {
      kind = 'left';
      this.#isWord('outer');
      this.#word('join');
    } else if (this.#isWord('inner')) this.#word('join');
    else if (!this.#isWord('join')) {
      this.#refuse(unsupported.joins);
      return undefined;
    }
    const source = this.#source();
    this.#refuse(['using']);
    this.#word('on');
    return { kind, source, on: this.#expression() };
  }

  #sortKey(): SortKey {
    const expression = this.#expression();
    const descending = this.#isWord('desc');
    if (!descending) this.#isWord('asc');
    return { expression, descending };
  }

  #wholeNumber(): number {
    const token = this.#scanner.next();
    const value = token.kind === 'number' ? Number(token.text) : NaN;
    if (!Number.isInteger(value) || value < 0) throw this.#scanner.refuse('a whole number', token);
    return value;
  }

  #items<Item>(item: () => Item): Item[] {
    const list = [item()];
    while (this.#isOp(',')) {
      list.push(item());
      if (list.length > maxItems) throw new QueryError(`at most ${maxItems} entries in a list`, this.#scanner.last);
    }
    return list;
  }

  #expression(): Expression {
    if (++this.#depth > maxDepth) throw new QueryError(`nested more than ${maxDepth} deep`, this.#scanner.last);
    const found = this.#or();
    this.#depth--;
    return found;
  }

  /** Parses operands joined by left-associative operators of the same precedence. */
  #chain(operand: () => Expression, operator: () => BinaryOp | undefined): Expression {
    let left = operand();
    for (let op = operator(); op; op = operator()) left = { kind: 'binary', op, left, right: operand() };
    return left;
  }

  #or(): Expression {
    const and = () =>
      this.#chain(
        () => this.#not(),
        () => (this.#isWord('and') ? 'and' : undefined),
      );
    return this.#chain(and, () => (this.#isWord('or') ? 'or' : undefined));
  }

  #not(): Expression {
    let count = 0;
    while (this.#isWord('not')) count++;
    const arg = this.#comparison();
    return count % 2 === 1 ? { kind: 'unary', op: 'not', arg } : arg;
  }

  #comparison(): Expression {
    const left = this.#sum();
    const token = this.#scanner.peek();
    const op = token.kind === 'op' ? comparisons[token.text] : undefined;
    if (op) {
      this.#scanner.next();
      return { kind: 'binary', op, left, right: this.#sum() };
    }
    this.#refuse(unsupported.comparisons);
    if (this.#isWord('is')) {
      const not = this.#isWord('not');
      this.#word('null');
      return { kind: 'isNull', arg: left, not };
    }
    const not = this.#isWord('not');
    if (this.#isWord('in')) {
      this.#op('(');
      if (this.#peeksQuery()) {
        const query = this.#query();
        this.#op(')');
        return { kind: 'inQuery', arg: left, query, not };
      }
      const list = this.#items(() => this.#expression());
      this.#op(')');
      return { kind: 'in', arg: left, list, not };
    }
    if (this.#isWord('like')) return { kind: 'like', arg: left, pattern: this.#sum(), not };
    if (this.#isWord('between')) {
      const low = this.#sum();
      this.#word('and');
      const high = this.#sum();
      const within: Expression = {
        kind: 'binary',
        op: 'and',
        left: { kind: 'binary', op: '>=', left, right: low },
        right: { kind: 'binary', op: '<=', left, right: high },
      };
      return not ? { kind: 'unary', op: 'not', arg: within } : within;
    }
    if (not) throw this.#scanner.refuse('in, like or between');
    return left;
  }

  #sum(): Expression {
    const product = () =>
      this.#chain(
        () => this.#unary(),
        () => this.#oneOf('*', '/', '%'),
      );
    return this.#chain(product, () => this.#oneOf('+', '-', '||'));
  }

  #unary(): Expression {
    let count = 0;
    while (this.#isOp('-')) count++;
    const arg = this.#primary();
    return count % 2 === 1 ? { kind: 'unary', op: '-', arg } : arg;
  }

  #primary(): Expression {
    const token = this.#scanner.next();
    switch (token.kind) {
      case 'number':
        return { kind: 'literal', value: Number(token.text) };
      case 'string':
        return { kind: 'literal', value: token.text };
      case 'name':
        return this.#column(token.text, token.quoted);
      case 'op':
        if (token.text === '(') {
          if (this.#peeksQuery()) {
            const query = this.#query();
            this.#op(')');
            return { kind: 'subquery', query, exists: false };
          }
          const found = this.#expression();
          this.#op(')');
          return found;
        }
        break;
      case 'word':
        return this.#fromWord(token);
      default:
        break;
    }
    throw this.#scanner.refuse('a value, column or function', token);
  }

  #fromWord(token: Token): Expression {
    const word = token.text.toLowerCase();
    if (word === 'null') return { kind: 'literal', value: null };
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
    if (word === 'case') return this.#case();
    if (word === 'date' && this.#scanner.peek().kind === 'string')
      return { kind: 'literal', value: this.#scanner.next().text };
    if (word === 'exists' && this.#scanner.startsGroup())
      return { kind: 'subquery', query: this.#queryInParentheses(), exists: true };
    if (this.#isOp('(')) return this.#windowed(this.#call(word));
    if (reservedWords.has(word)) throw this.#scanner.refuse('a value, column or function', token);
    return this.#column(token.text, false);
  }

  #column(name: string, quoted: boolean): Expression {
    if (!this.#isOp('.')) return { kind: 'column', table: undefined, name, quoted };
    return { kind: 'column', table: name, name: this.#isOp('*') ? '*' : this.#name(), quoted: false };
  }

  #peeksQuery(): boolean {
    return this.#peeksWord('select') || this.#peeksWord('with');
  }

  /** Parses `over (partition by ... order by ...)` after a function call, if present. */
  #windowed(call: Extract<Expression, { kind: 'call' }>): Expression {
    this.#refuse(unsupported.afterCalls);
    if (!this.#isWord('over')) return call;
    this.#op('(');
    let over: WindowClause = { partitionBy: [], orderBy: [] };
    if (this.#isWord('partition')) over = { ...over, partitionBy: this.#listBy(() => this.#expression()) };
    if (this.#isWord('order')) over = { ...over, orderBy: this.#listBy(() => this.#sortKey()) };
    this.#refuse(unsupported.frames);
    this.#op(')');
    return { ...call, over };
  }

  #call(name: string): Extract<Expression, { kind: 'call' }> {
    if (this.#isOp('*')) {
      this.#op(')');
      return { kind: 'call', name, args: [], distinct: false, star: true };
    }
    if (this.#isOp(')')) return { kind: 'call', name, args: [], distinct: false, star: false };
    const distinct = this.#isWord('distinct');
    const args = this.#items(() => this.#expression());
    if (this.#isWord('separator')) args.push({ kind: 'literal', value: this.#name() });
    this.#refuse(['order']);
    if (name === 'cast' && this.#isWord('as')) args.push({ kind: 'literal', value: this.#name().toLowerCase() });
    this.#op(')');
    return { kind: 'call', name, args, distinct, star: false };
  }

  #case(): Expression {
    const subject = this.#peeksWord('when') ? undefined : this.#expression();
    const whens: { when: Expression; result: Expression }[] = [];
    while (this.#isWord('when')) {
      const given = this.#expression();
      const when: Expression = subject ? { kind: 'binary', op: '=', left: subject, right: given } : given;
      this.#word('then');
      whens.push({ when, result: this.#expression() });
    }
    if (whens.length === 0) throw this.#scanner.refuse('when');
    const otherwise = this.#isWord('else') ? this.#expression() : undefined;
    this.#word('end');
    return { kind: 'case', whens, otherwise };
  }

  #name(): string {
    const token = this.#scanner.next();
    if (token.kind === 'word' || token.kind === 'name' || token.kind === 'string') return token.text;
    throw this.#scanner.refuse('a name', token);
  }

  #peeksWord(word: string): boolean {
    const token = this.#scanner.peek();
    return token.kind === 'word' && token.text.toLowerCase() === word;
  }

  #isWord(word: string): boolean {
    if (!this.#peeksWord(word)) return false;
    this.#scanner.next();
    return true;
  }

  #word(word: string): void {
    if (!this.#isWord(word)) throw this.#scanner.refuse(word);
  }

  #isOp(op: string): boolean {
    const token = this.#scanner.peek();
    if (token.kind !== 'op' || token.text !== op) return false;
    this.#scanner.next();
    return true;
  }

  #op(op: string): void {
    if (!this.#isOp(op)) throw this.#scanner.refuse(op);
  }

  #oneOf(...ops: BinaryOp[]): BinaryOp | undefined {
    return ops.find((op) => this.#isOp(op));
  }

  #end(): void {
    this.#refuse([...unsupported.clauses, ...unsupported.joins]);
    if (this.#scanner.peek().kind !== 'end') throw this.#scanner.refuse('the end');
  }
}
