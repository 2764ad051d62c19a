import { RE2JS, type Matcher } from 're2js';
import { charge } from './budget.ts';

/** Maximum length of a regular expression; longer ones are rejected. */
export const maxPattern = 1_000;

/** Compiles a pattern and charges its size to the budget. Throws the library's error if the pattern is invalid. */
export function compileRegex(pattern: string, anyCase: boolean): RE2JS {
  charge(pattern.length);
  const regex = RE2JS.compile(pattern, anyCase ? RE2JS.CASE_INSENSITIVE : 0);
  charge(regex.re2().numberOfInstructions());
  return regex;
}

const readsPerCharge = 256;

/**
 * Wraps a text and charges the budget for every character that the regex library reads from it. The library reports no
 * other measure of its work.
 *
 * The class sets `Symbol.toStringTag` to 'String' because the library checks that tag. It does not extend String:
 * subclassing String disables V8's fast path for string methods in the whole process.
 */
class MeteredText {
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readonly #costOfReads: number;
  #reads = 0;

  constructor(text: string, instructions: number) {
    this.length = text.length;
    this.#text = text;
    // Estimated steps to charge per `readsPerCharge` characters read: for each character, the automaton visits an
    // eighth of its states on average.
    this.#costOfReads = readsPerCharge * (1 + (instructions >> 3));
  }

  charCodeAt(index: number): number {
    if ((++this.#reads & (readsPerCharge - 1)) === 0) charge(this.#costOfReads);
    return this.#text.charCodeAt(index);
  }

  indexOf(wanted: string, from?: number): number {
    charge(1 + (this.#text.length >> 6));
    return this.#text.indexOf(wanted, from);
  }

  substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }

  toString(): string {
    return this.#text;
  }
}

/** Creates the RE2JS matcher for a text. The characters that the matcher reads are charged to the current budget. */
export function matcherFor(regex: RE2JS, text: string): Matcher {
  const instructions = regex.re2().numberOfInstructions();
  // Charge the fixed cost of a search, which does not depend on the text.
  charge(8 + (instructions >> 4));
  return regex.matcher(new MeteredText(text, instructions) as unknown as string);
}
