import type { Tokens } from 'marked';

const delimiters = /[*_~[\]`<&\\]/g;
/** What may be the middle of an address: each makes the lexer look through all that follows. */
const addresses = /@|:\/\/|www\./g;
const mailboxSign = /[\w.!#$%&'*+/=?`{|}~-]/;
/** Characters looked through in the time of one pair of delimiters. */
const perPair = 25;
/** What reading one more run of text costs, however short it is. */
const perRun = 100;

/** Counts the work of reading one text. What does not fit is not done: it is kept as it is written. */
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

/** The work of finding emphasis, links and addresses in one run of text, in pairs of delimiters. */
export function inlineWork(src: string): number {
  const count = src.match(delimiters)?.length ?? 0;
  const links = src.match(addresses)?.length ?? 0;
  return perRun + count * count + ((count + links) * src.length + mailboxWork(src)) / perPair;
}

/** From each character that may stand before an `@`, the lexer looks through all of them up to it. */
function mailboxWork(src: string): number {
  let work = 0;
  for (let at = src.indexOf('@'); at !== -1; at = src.indexOf('@', at + 1)) {
    let from = at;
    while (from > 0 && mailboxSign.test(src.charAt(from - 1))) from -= 1;
    work += (at - from) ** 2;
  }
  return work;
}

export function asWritten(src: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: src, text: src, tokens: [{ type: 'text', raw: src, text: src, escaped: false }] };
}
