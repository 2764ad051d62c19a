import { Tokenizer, type Tokens } from 'marked';
import { plainParagraph, type WorkMeter } from './work-meter.ts';

/**
 * Cost of trying all Markdown block rules on one line, in work units. A work unit is the work of examining one pair of
 * delimiters.
 */
const perLine = 50;
/**
 * Number of characters that the rule for underlined headings scans at the cost of one work unit. The next two constants
 * are the same for tables and quotes. A work unit is the work of examining one pair of delimiters.
 */
const perPairOfHeading = 2;
const perPairOfTable = 4;
const perPairOfQuote = 2;
/**
 * Number of characters that the lexer copies at the cost of one work unit. The lexer copies a paragraph each time it
 * appends a line to it. A work unit is the work of examining one pair of delimiters.
 */
const perPairOfCopy = 200;

/**
 * Block rules of the library marked, with a work limit. Some rules scan from each line to the end of the paragraph,
 * which takes quadratic time. Beyond the limit these rules match nothing, and the rest of the text becomes one
 * paragraph.
 */
export class BoundedTokenizer extends Tokenizer {
  readonly #meter: WorkMeter;

  constructor(meter: WorkMeter) {
    super();
    this.#meter = meter;
  }

  /**
   * Consumes empty lines and checks the work limit. The library marked tries this rule first at each position. Beyond
   * the limit, the rule returns the rest of the text as one paragraph, which ends the parsing.
   */
  override space(src: string): Tokens.Space | undefined {
    const { lastToken } = this.lexer.state;
    const copied = lastToken?.type === 'text' || lastToken?.type === 'paragraph' ? lastToken.raw.length : 0;
    // Do not return a paragraph for a single remaining character, because marked treats a one-character token of this
    // rule as a line end.
    if (src.length < 2 || this.#meter.take(perLine + copied / perPairOfCopy)) return super.space(src);
    return plainParagraph(src) as never;
  }

  /**
   * Counts the length of a quote's whole paragraph as work, because the lexer parses the quote's content again for each
   * further line. If the work limit is exceeded, the text is not recognized as a quote.
   */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(src)) return undefined;
    return this.#meter.take(paragraphLength(src) / perPairOfQuote) ? super.blockquote(src) : undefined;
  }

  override lheading(src: string): Tokens.Heading | undefined {
    return this.#meter.take(paragraphLength(src) / perPairOfHeading) ? super.lheading(src) : undefined;
  }

  override table(src: string): Tokens.Table | undefined {
    if (!secondLineIsRule(src)) return undefined;
    return this.#meter.take(paragraphLength(src) / perPairOfTable) ? super.table(src) : undefined;
  }
}

function paragraphLength(src: string): number {
  const blank = src.indexOf('\n\n');
  return blank === -1 ? src.length : blank;
}

function secondLineIsRule(src: string): boolean {
  const first = src.indexOf('\n');
  if (first === -1) return false;
  const second = src.indexOf('\n', first + 1);
  return /^[ |:-]+$/.test(src.slice(first + 1, second === -1 ? undefined : second));
}
