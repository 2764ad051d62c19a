export interface FairSchedulerOptions {
  /** Number of tasks that may run concurrently. */
  slots: number;
  /** Maximum number of slots that the tasks of one owner may use at the same time. Default: all. */
  maxPerOwner?: number;
  maxWaiting?: number;
}

/**
 * Runs tasks of several owners, for example users. The owners take turns, so that an owner with many tasks cannot delay
 * the tasks of other owners for long.
 */
export class FairScheduler {
  readonly #places: number;
  readonly #share: number;
  readonly #maxWaiting: number;
  /** Queued tasks by owner. The first owner in the map is served next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #held = new Map<string, number>();
  #running = 0;

  constructor({ slots, maxPerOwner = slots, maxWaiting = Infinity }: FairSchedulerOptions) {
    this.#places = slots;
    this.#share = maxPerOwner;
    this.#maxWaiting = maxWaiting;
  }

  get queueLength(): number {
    let count = 0;
    for (const own of this.#waiting.values()) count += own.length;
    return count;
  }

  hasOtherOwnersQueued(owner: string): boolean {
    return this.#waiting.size > (this.#waiting.has(owner) ? 1 : 0);
  }

  isFull(owner: string): boolean {
    return (this.#waiting.get(owner)?.length ?? 0) >= this.#maxWaiting;
  }

  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#mayStart(owner)) this.#acquire(owner);
    else
      await new Promise<void>((resolve) => {
        const own = this.#waiting.get(owner);
        if (own) own.push(resolve);
        else this.#waiting.set(owner, [resolve]);
      });
    try {
      return await work();
    } finally {
      this.#release(owner);
    }
  }

  #mayStart(owner: string): boolean {
    return this.#running < this.#places && (this.#held.get(owner) ?? 0) < this.#share;
  }

  #acquire(owner: string): void {
    this.#running++;
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
  }

  #release(owner: string): void {
    this.#running--;
    const held = this.#held.get(owner)! - 1;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    for (const [next, own] of this.#waiting) {
      if (!this.#mayStart(next)) continue;
      const begin = own.shift()!;
      // Move the owner whose task is started, with its other queued tasks, to the end of the rotation.
      this.#waiting.delete(next);
      if (own.length > 0) this.#waiting.set(next, own);
      this.#acquire(next);
      begin();
      return;
    }
  }
}
