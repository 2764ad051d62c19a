import { RE2JS, type Matcher } from 're2js';
import { charge } from './budget.ts';

/** Longer patterns are refused. */
export const maxPattern = 1_000;

/** Throws whatever the library does about a pattern that it does not understand. */
export function compileRegex(pattern: string, anyCase: boolean): RE2JS {
  charge(pattern.length);
  const regex = RE2JS.compile(pattern, anyCase ? RE2JS.CASE_INSENSITIVE : 0);
  charge(regex.re2().numberOfInstructions());
  return regex;
}

const readsTogether = 256;

/**
 * A text that counts how often it is read. The library's time is linear, but in pattern times text, and over again for every
 * match: what it really does is known only by the characters it asks for.
 *
 * It calls itself a String, which is what the library looks at, and does not extend String: deriving a class from it makes
 * the engine of JavaScript look up every method of every text of the process the slow way.
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
    // For every character the automaton may look at all of its states; mostly it looks at few.
    this.#costOfReads = readsTogether * (1 + (instructions >> 3));
  }

  charCodeAt(index: number): number {
    if ((++this.#reads & (readsTogether - 1)) === 0) charge(this.#costOfReads);
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

/** The library's matcher, at the expense of the budget. */
export function matcherFor(regex: RE2JS, text: string): Matcher {
  const instructions = regex.re2().numberOfInstructions();
  // What a search costs before it reads anything.
  charge(8 + (instructions >> 4));
  return regex.matcher(new MeteredText(text, instructions) as unknown as string);
}
