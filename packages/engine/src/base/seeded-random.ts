/** Reproducible random numbers: the same seed and cell give the same numbers, in any order of calculation. */
export class SeededRandom {
  #seed: number;
  #state = 0;

  constructor(seed: number) {
    this.#seed = seed | 0;
  }

  reseed(seed: number): void {
    this.#seed = seed | 0;
    this.#state = 0;
  }

  /** Restarts the generator with the random sequence of one cell. */
  at(sheet: number, row: number, col: number): void {
    let mixed = this.#seed ^ Math.imul(sheet + 1, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 16) ^ row, 0x85ebca6b);
    this.#state = Math.imul(mixed ^ (mixed >>> 13) ^ (col << 8), 0xc2b2ae35);
  }

  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    const high = (t ^ (t >>> 14)) >>> 0;
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let u = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    u = (u + Math.imul(u ^ (u >>> 7), 61 | u)) ^ u;
    const low = ((u ^ (u >>> 14)) >>> 0) >>> 11;
    return (high * 2_097_152 + low) / 9_007_199_254_740_992;
  };
}
