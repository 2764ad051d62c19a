import { Lexer, type Token, type Tokens } from 'marked';
import { BoundedTokenizer } from './bounded-tokenizer.ts';
import { asWritten, inlineWork, WorkMeter } from './work-meter.ts';

/** Deeper nesting than anybody reads; past it a quote in a quote in a list is shown as it is written. */
const deepest = 32;
/** What reading one more container costs, however short it is. */
const perContainer = 400;
/** Characters of a container split into lines in the time of one pair of delimiters. */
const perPair = 25;

/**
 * marked's lexer with an end to its work. Its time grows with the square of the delimiters in one paragraph, with the
 * square of the lines of one item in a list, and with the depth of nesting, so a hostile note could keep it busy for hours.
 * Here all are counted, not timed: the same note is read the same way on every machine, and what is past the limits is kept
 * as text.
 */
export class BoundedLexer extends Lexer {
  #depth = 0;
  #inlineDepth = 0;
  readonly #meter: WorkMeter;

  /** `work`: how many pairs of delimiters may be looked at; about 50 million take a second. */
  constructor(work: number) {
    const meter = new WorkMeter(work);
    super({ gfm: true, tokenizer: new BoundedTokenizer(meter) });
    this.#meter = meter;
  }

  /** Whether something was past the work allowed. */
  get isCutShort(): boolean {
    return this.#meter.hasRefused;
  }

  override blockTokens(src: string, tokens?: Token[] | Tokens.Generic[], lastParagraphClipped?: boolean): never {
    const into = (tokens ?? []) as Token[];
    if (this.#depth >= deepest || !this.#meter.take(perContainer + src.length / perPair)) {
      if (src !== '') into.push(asWritten(src));
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
    if (this.#inlineDepth >= deepest || !this.#meter.take(inlineWork(src))) {
      tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      return tokens;
    }
    this.#inlineDepth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#inlineDepth -= 1;
    }
  }
}
