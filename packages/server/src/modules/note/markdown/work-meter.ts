import type { Tokens } from 'marked';

const delimiters = /[*_~[\]`<&\\]/g;
/** Matches parts of possible URLs and mail addresses. For each match, the lexer scans all following text. */
const addresses = /@|:\/\/|www\./g;
const mailboxSign = /[\w.!#$%&'*+/=?`{|}~-]/;
/** Number of characters whose scanning costs one work unit, which is the work of examining one pair of delimiters. */
const perPair = 25;
/** Base cost of parsing a run of text for inline markup, in work units. */
const perRun = 100;

/** Counts the work of parsing one text against a limit. Parts beyond the limit stay plain text. */
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
 * Estimates the time that the Markdown lexer needs to find mail addresses. From each character that may belong to an
 * address it scans to the `@`, so the time grows with the square of the distance.
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
