/** Random number generator with a seed. A test that failed can be repeated with the same random decisions. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  between(least: number, most: number): number {
    return least + this.fraction() * (most - least);
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Returns true with the probability `share`. */
  happens(share: number): boolean {
    return this.fraction() < share;
  }

  /** Returns a new generator. Its sequence does not depend on how many numbers are later taken from this generator. */
  fork(): SeededRandom {
    return new SeededRandom(this.below(2 ** 32));
  }
}
