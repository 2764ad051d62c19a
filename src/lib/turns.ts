/** One thing at a time, and each owner in turn: whoever has much to do keeps others waiting for one piece of it, not for all. */
export class Turns {
  readonly #mostWaiting: number;
  readonly #waiting = new Map<string, (() => void)[]>();
  #isBusy = false;

  /** `mostWaiting`: of one owner. */
  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Undefined when the owner has as much waiting as may be. */
  use<Result>(owner: string, work: () => Promise<Result>): Promise<Result> | undefined {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= this.#mostWaiting) return undefined;
    return this.#inTurn(owner, own, work);
  }

  async #inTurn<Result>(owner: string, own: (() => void)[], work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) {
      await new Promise<void>((resolve) => {
        own.push(resolve);
        this.#waiting.set(owner, own);
      });
    }
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #next(): void {
    const first = this.#waiting.entries().next();
    if (first.done) {
      this.#isBusy = false;
      return;
    }
    const [owner, own] = first.value;
    const begin = own.shift()!;
    // To the back of the line, with what is left.
    this.#waiting.delete(owner);
    if (own.length > 0) this.#waiting.set(owner, own);
    begin();
  }
}
