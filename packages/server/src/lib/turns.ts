export interface TurnsOptions {
  /** How much is done at the same time. */
  places: number;
  /** How many of the places one owner may hold; all of them unless told. */
  share?: number;
  /** How much of one owner may wait. */
  maxWaiting?: number;
}

/** Work in turn by owner: whoever has much to do keeps others waiting for a share of it, not for all. */
export class Turns {
  readonly #places: number;
  readonly #share: number;
  readonly #maxWaiting: number;
  /** Who comes first has the next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #held = new Map<string, number>();
  #running = 0;

  constructor({ places, share = places, maxWaiting = Infinity }: TurnsOptions) {
    this.#places = places;
    this.#share = share;
    this.#maxWaiting = maxWaiting;
  }

  /** How much waits for its turn. */
  get waiting(): number {
    let count = 0;
    for (const own of this.#waiting.values()) count += own.length;
    return count;
  }

  /** Whether anybody else waits for a turn. */
  hasOthers(owner: string): boolean {
    return this.#waiting.size > (this.#waiting.has(owner) ? 1 : 0);
  }

  /** Whether the owner has as much waiting as may be. */
  isFull(owner: string): boolean {
    return (this.#waiting.get(owner)?.length ?? 0) >= this.#maxWaiting;
  }

  async use<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isOpenTo(owner)) this.#take(owner);
    else
      await new Promise<void>((resolve) => {
        const own = this.#waiting.get(owner);
        if (own) own.push(resolve);
        else this.#waiting.set(owner, [resolve]);
      });
    try {
      return await work();
    } finally {
      this.#leave(owner);
    }
  }

  #isOpenTo(owner: string): boolean {
    return this.#running < this.#places && (this.#held.get(owner) ?? 0) < this.#share;
  }

  #take(owner: string): void {
    this.#running++;
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
  }

  #leave(owner: string): void {
    this.#running--;
    const held = this.#held.get(owner)! - 1;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    for (const [next, own] of this.#waiting) {
      if (!this.#isOpenTo(next)) continue;
      const begin = own.shift()!;
      // To the back of the line, with what is left.
      this.#waiting.delete(next);
      if (own.length > 0) this.#waiting.set(next, own);
      this.#take(next);
      begin();
      return;
    }
  }
}
