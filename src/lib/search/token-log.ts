import { longerArray } from './bytes.ts';
import type { TokenSink } from './tokens.ts';

/** In which field of a document a token stands. */
export const fieldNumbers = { title: 1, headings: 2, body: 3 } as const;

/**
 * The tokens of a batch in the order they were read, as rows of numbers: which token, in which document and field, at
 * which place. Lists of their own for each token would cost several times as much.
 */
export class TokenLog implements TokenSink {
  readonly tokens: string[] = [];
  /** Where the reader is. */
  document = 0;
  field: number = fieldNumbers.title;
  readonly #numbers = new Map<string, number>();
  #length = 0;
  #which = new Uint32Array(4096);
  #where = new Uint32Array(4096);
  #places = new Uint32Array(4096);

  placed(token: string, place: number): void {
    this.#add(token, place + 1);
  }

  extra(token: string): void {
    this.#add(token, 0);
  }

  #add(token: string, place: number): void {
    let number = this.#numbers.get(token);
    if (number === undefined) {
      number = this.tokens.length;
      this.#numbers.set(token, number);
      this.tokens.push(token);
    }
    if (this.#length === this.#which.length) this.#grow();
    const at = this.#length++;
    this.#which[at] = number;
    this.#where[at] = this.document * 4 + this.field;
    this.#places[at] = place;
  }

  #grow(): void {
    const length = 2 * this.#length;
    this.#which = longerArray(this.#which, length);
    this.#where = longerArray(this.#where, length);
    this.#places = longerArray(this.#places, length);
  }

  /** The rows of each token side by side, in the order they were read. */
  sorted(): SortedLog {
    const starts = new Uint32Array(this.tokens.length + 1);
    for (let at = 0; at < this.#length; at++) starts[this.#which[at]! + 1]! += 1;
    for (let number = 0; number < this.tokens.length; number++) starts[number + 1]! += starts[number]!;
    const next = starts.slice();
    const where = new Uint32Array(this.#length);
    const places = new Uint32Array(this.#length);
    for (let at = 0; at < this.#length; at++) {
      const to = next[this.#which[at]!]!++;
      where[to] = this.#where[at]!;
      places[to] = this.#places[at]!;
    }
    return { starts, where, places };
  }
}

export interface SortedLog {
  /** For each token where its rows begin, and where the last ones end. */
  starts: Uint32Array;
  /** Four times the document, and the field. */
  where: Uint32Array;
  /** One more than the place; 0 for a token without one. */
  places: Uint32Array;
}
