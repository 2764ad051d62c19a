import type { Tokens } from 'marked';

const delimiters = /[*_~[\]`<&\\]/g;
/**
 * Matches characters that may be part of a URL or mail address, such as `@`. For each match, the lexer scans all
 * following text.
 */
const addresses = /@|:\/\/|www\./g;
const mailboxSign = /[\w.!#$%&'*+/=?`{|}~-]/;
/** Number of characters whose scanning costs one work unit, which is the work of examining one pair of delimiters. */
const perPair = 25;
/**
 * Base cost of parsing a run of text for inline markup, in work units. A work unit is the work of examining one pair of
 * delimiters.
 */
const perRun = 100;

/**
 * Counts the work of parsing one text against a limit. `take` returns false if the given work would exceed the limit.
 * The parser then leaves that part of the text plain.
 */
export class WorkMeter {
  #left: number;
  #hasRefused = false;

  constructor(work: number) {
    this.#left = work;
  }

  take(work: number): boolean {
    if (work > this.#left) {
      this.#hasRefused = true;
      return false;
    }
    this.#left -= work;
    return true;
  }

  get hasRefused(): boolean {
    return this.#hasRefused;
  }
}

/**
 * Returns the cost of finding emphasis, links and URLs in a run of text, in work units. A work unit is the work of
 * examining one pair of delimiters.
 */
export function inlineWork(src: string): number {
  const count = src.match(delimiters)?.length ?? 0;
  const links = src.match(addresses)?.length ?? 0;
  return perRun + count * count + ((count + links) * src.length + mailboxWork(src)) / perPair;
}

/**
 * Estimates how many characters the Markdown lexer scans to find mail addresses. It scans to the `@` from each
 * character that may belong to an address, so the number grows with the square of the distance.
 */
function mailboxWork(src: string): number {
  let work = 0;
  for (let at = src.indexOf('@'); at !== -1; at = src.indexOf('@', at + 1)) {
    let from = at;
    while (from > 0 && mailboxSign.test(src.charAt(from - 1))) from -= 1;
    work += (at - from) ** 2;
  }
  return work;
}

export function plainParagraph(src: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: src, text: src, tokens: [{ type: 'text', raw: src, text: src, escaped: false }] };
}
