export interface TurnsOptions {
  /** Number of concurrent slots. */
  places: number;
  /** Maximum number of slots one owner may hold; default all. */
  share?: number;
  /** Maximum queue length per owner. */
  maxWaiting?: number;
}

/** Fair scheduler: runs work round-robin by owner, so that an owner with much work delays others only by its share. */
export class Turns {
  readonly #places: number;
  readonly #share: number;
  readonly #maxWaiting: number;
  /** Queues by owner; the first owner in the map is served next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #held = new Map<string, number>();
  #running = 0;

  constructor({ places, share = places, maxWaiting = Infinity }: TurnsOptions) {
    this.#places = places;
    this.#share = share;
    this.#maxWaiting = maxWaiting;
  }

  /** Number of queued tasks. */
  get waiting(): number {
    let count = 0;
    for (const own of this.#waiting.values()) count += own.length;
    return count;
  }

  /** Whether another owner has queued tasks. */
  hasOthers(owner: string): boolean {
    return this.#waiting.size > (this.#waiting.has(owner) ? 1 : 0);
  }

  /** Whether the owner's queue is full. */
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
      // Move the owner, with the rest of its queue, to the end of the rotation.
      this.#waiting.delete(next);
      if (own.length > 0) this.#waiting.set(next, own);
      this.#take(next);
      begin();
      return;
    }
  }
}
