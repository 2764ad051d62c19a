/**
 * A syntax or evaluation error of a query. `at` is the position in the query's text, starting at 0; undefined if the
 * error has no single position.
 */
export class QueryError extends Error {
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.name = 'QueryError';
    this.at = at;
  }
}

export interface Token {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'op' | 'end';
  readonly text: string;
  readonly start: number;
  /** True if the token is a name in double quotes. If no column has this name, the query uses it as a text. */
  readonly quoted: boolean;
}

const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const word = /[\p{L}_][\p{L}\p{N}_]*/uy;
const operator = /\|\||<>|<=|>=|!=|==|[-+*/%=<>(),.;]/y;
const space = /(?:\s|--[^\n]*)+/y;
/**
 * Matches what a query can read from: a range such as `Data!A1:C9`, a sub-sheet or a defined name. Names with spaces
 * are in quotes or brackets.
 */
const address = /(?:'(?:[^']|'')+'|"[^"]+"|\[[^\]]+\]|[^\s,()!;'"[\]]+)(?:![$A-Za-z0-9:]+)?/y;

export class Scanner {
  readonly #text: string;
  #at = 0;
  #peeked: Token | undefined;
  /** Position in the text after the last consumed token. */
  last = 0;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): Token {
    this.#peeked ??= this.#scan();
    return this.#peeked;
  }

  next(): Token {
    const token = this.peek();
    this.#peeked = undefined;
    this.last = this.#at;
    return token;
  }

  /**
   * Reads the next token as an address. If the token was already peeked, its text is scanned again, because addresses
   * have a different syntax from other tokens.
   */
  address(): string {
    if (this.#peeked) {
      this.#at = this.#peeked.start;
      this.#peeked = undefined;
    }
    this.#match(space);
    const found = this.#match(address) ?? '';
    this.last = this.#at;
    const plain = /^(?:"([^"]+)"|\[([^\]]+)\])(!.*)?$/s.exec(found);
    if (!plain) return found;
    const name = plain[1] ?? plain[2]!;
    return plain[3] === undefined ? name : `'${name.replaceAll("'", "''")}'${plain[3]}`;
  }

  /**
   * Returns whether the next character, after spaces, is an opening parenthesis. Does not scan a token, because an
   * address may follow, which `address` must scan.
   */
  startsGroup(): boolean {
    if (this.#peeked) {
      this.#at = this.#peeked.start;
      this.#peeked = undefined;
    }
    this.#match(space);
    return this.#text[this.#at] === '(';
  }

  refuse(wanted: string, token: Token = this.peek()): QueryError {
    const found = token.kind === 'end' ? 'the end' : JSON.stringify(token.text.slice(0, 40));
    return new QueryError(`expected ${wanted}, found ${found}`, token.start);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #scan(): Token {
    this.#match(space);
    const start = this.#at;
    const made = (kind: Token['kind'], text: string, quoted = false): Token => ({ kind, text, start, quoted });
    const first = this.#text[start];
    if (first === undefined) return made('end', '');
    if (first === "'") return made('string', this.#quoted("'"));
    if (first === '"') return made('name', this.#quoted('"'), true);
    if (first === '`') return made('name', this.#quoted('`'));
    if (first === '[') return made('name', this.#quoted(']'));
    const digits = this.#match(number);
    if (digits !== undefined) return made('number', digits);
    const letters = this.#match(word);
    if (letters !== undefined) return made('word', letters);
    const op = this.#match(operator);
    if (op !== undefined) return made('op', op);
    throw new QueryError(`${JSON.stringify(first)} means nothing here`, start);
  }

  /**
   * Reads a quoted name or text up to the closing `mark`. Inside it, a doubled mark stands for a single mark; `]`
   * cannot be doubled.
   */
  #quoted(mark: string): string {
    let out = '';
    for (let at = this.#at + 1; ; at++) {
      const end = this.#text.indexOf(mark, at);
      if (end < 0) throw new QueryError(`${mark} is missing`, this.#at);
      out += this.#text.slice(at, end);
      if (this.#text[end + 1] !== mark || mark === ']') {
        this.#at = end + 1;
        return out;
      }
      out += mark;
      at = end + 1;
    }
  }
}
