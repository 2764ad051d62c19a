import { Tokenizer, type Tokens } from 'marked';
import { asWritten, type WorkMeter } from './work-meter.ts';

/** What trying all rules at one more line costs, in pairs of delimiters. */
const perLine = 50;
/** Characters that the rule of underlined headings looks through in the time of one pair of delimiters. */
const perPairOfHeading = 2;
const perPairOfTable = 4;
const perPairOfQuote = 2;
/** Characters copied in that time. */
const perPairOfCopy = 200;

/**
 * marked's rules of blocks, with an end to their work. Inside an item of a list each line is tried by itself, and the rules
 * of underlined headings and of tables look ahead from each of them to the end of the paragraph. Past the limit those find
 * nothing, and the rest of the text is one paragraph.
 */
export class BoundedTokenizer extends Tokenizer {
  readonly #meter: WorkMeter;

  constructor(meter: WorkMeter) {
    super();
    this.#meter = meter;
  }

  /** The first rule tried at each place, so the one that can end the reading. */
  override space(src: string): Tokens.Space | undefined {
    const { lastToken } = this.lexer.state;
    const copied = lastToken?.type === 'text' || lastToken?.type === 'paragraph' ? lastToken.raw.length : 0;
    // marked takes a token of one character here for the end of a line.
    if (src.length < 2 || this.#meter.take(perLine + copied / perPairOfCopy)) return super.space(src);
    return asWritten(src) as never;
  }

  /** Each line that goes on with a quote makes the lexer read what stands in it once more. */
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
