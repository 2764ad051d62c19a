import { Lexer, type Token, type Tokens } from 'marked';
import { BoundedTokenizer } from './bounded-tokenizer.ts';
import { plainParagraph, inlineWork, WorkMeter } from './work-meter.ts';

/** Maximum nesting of blocks, and of inline markup. Text that is nested deeper stays plain text. */
const deepest = 32;
/**
 * Base cost of splitting a whole text, a quote or a list item into blocks, in work units. A work unit is the work of
 * examining one pair of markup delimiters, such as two `*`.
 */
const perContainer = 400;
/**
 * Number of characters that can be split into blocks at the cost of one work unit, in addition to the base cost. A work
 * unit is the work of examining one pair of markup delimiters, such as two `*`.
 */
const perPair = 25;

/**
 * The lexer of the library marked, with a work limit. Without a limit, parsing a hostile note could take hours, because
 * the time grows with the square of the number of delimiters and list lines. Work is counted instead of timed, so that
 * a note is parsed in the same way on every machine. Text beyond the limit stays plain text.
 */
export class BoundedLexer extends Lexer {
  #depth = 0;
  #inlineDepth = 0;
  readonly #meter: WorkMeter;

  /**
   * Creates a lexer that does at most `work` units of work. A unit is the work of examining one pair of markup
   * delimiters. About 50 million units take a second.
   */
  constructor(work: number) {
    const meter = new WorkMeter(work);
    super({ gfm: true, tokenizer: new BoundedTokenizer(meter) });
    this.#meter = meter;
  }

  /** True if the work limit was reached, so that a part of the text was not parsed. */
  get isCutShort(): boolean {
    return this.#meter.hasRefused;
  }

  override blockTokens(src: string, tokens?: Token[] | Tokens.Generic[], lastParagraphClipped?: boolean): never {
    const into = (tokens ?? []) as Token[];
    if (this.#depth >= deepest || !this.#meter.take(perContainer + src.length / perPair)) {
      if (src !== '') into.push(plainParagraph(src));
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
