import { Lexer, type Token, type Tokens } from 'marked';

/** Deeper nesting than anybody reads; past it a quote in a quote in a list is shown as it is written. */
const deepest = 32;
const delimiters = /[*_~[\]`<&]/g;
/** What may be the middle of an address: each makes the lexer look through all that follows. */
const addresses = /@|:\/\/|www\./g;
/** Characters looked through in the time of one pair of delimiters. */
const perPair = 25;

/**
 * marked's lexer with an end to its work. Its time grows with the square of the delimiters in one paragraph and with the
 * depth of nesting, so a hostile note could keep it busy for hours. Here both are counted, not timed: the same note is
 * read the same way on every machine, and what is past the limits is kept as text.
 */
export class BoundedLexer extends Lexer {
  #depth = 0;
  #inlineDepth = 0;
  #work: number;

  /** `work`: how many pairs of delimiters may be looked at; about 50 million take a second. */
  constructor(work: number) {
    super({ gfm: true });
    this.#work = work;
  }

  override blockTokens(src: string, tokens?: Token[] | Tokens.Generic[], lastParagraphClipped?: boolean): never {
    const into = (tokens ?? []) as Token[];
    if (this.#depth >= deepest) {
      into.push(asText('paragraph', src));
      return into as never;
    }
    this.#depth += 1;
    try {
      return super.blockTokens(src, into, lastParagraphClipped) as never;
    } finally {
      this.#depth -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const count = src.match(delimiters)?.length ?? 0;
    const links = src.match(addresses)?.length ?? 0;
    const work = count * count + (links * src.length) / perPair;
    if (work > this.#work || this.#inlineDepth >= deepest) {
      tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      return tokens;
    }
    this.#work -= work;
    this.#inlineDepth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#inlineDepth -= 1;
    }
  }
}

function asText(type: 'paragraph', src: string): Token {
  return { type, raw: src, text: src, tokens: [{ type: 'text', raw: src, text: src, escaped: false }] };
}
