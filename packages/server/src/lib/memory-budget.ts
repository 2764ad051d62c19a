interface BudgetRequest {
  readonly amount: number;
  readonly grant: () => void;
  /** Number of times this request was skipped because it needed more memory than was free. */
  passed: number;
}

/**
 * Number of times a request may be skipped because it needs more memory than is free. After that, the requests behind
 * it wait until enough memory is free for it.
 */
const maxOvertaken = 100;

/**
 * Lends a fixed amount of memory (in bytes) to callers in turn, each time for the duration of one task. A caller may
 * hold at most half of the total, so that some is left for others. A single request for more than half is granted only
 * while the caller holds nothing else.
 */
export class MemoryBudget {
  readonly #total: number;
  readonly #lent = new Map<string, number>();
  /** Queued requests by caller. The first caller in the map is served next. */
  readonly #waiting = new Map<string, BudgetRequest[]>();
  #free: number;

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  async use<Result>(caller: string, wanted: number, work: () => Promise<Result>): Promise<Result> {
    const amount = Math.min(wanted, this.#total);
    await new Promise<void>((grant) => {
      const wish: BudgetRequest = { amount, grant, passed: 0 };
      const wishes = this.#waiting.get(caller);
      if (wishes) wishes.push(wish);
      else this.#waiting.set(caller, [wish]);
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#free += amount;
      const lent = this.#lent.get(caller)! - amount;
      if (lent > 0) this.#lent.set(caller, lent);
      else this.#lent.delete(caller);
      this.#next();
    }
  }

  #next(): void {
    for (const [caller, wishes] of this.#waiting) {
      const [wish] = wishes as [BudgetRequest];
      const { amount } = wish;
      const lent = this.#lent.get(caller) ?? 0;
      if (lent > 0 && lent + amount > this.#total / 2) continue;
      if (amount > this.#free) {
        if (++wish.passed > maxOvertaken) return;
        continue;
      }
      wishes.shift();
      this.#waiting.delete(caller);
      if (wishes.length > 0) this.#waiting.set(caller, wishes);
      this.#free -= amount;
      this.#lent.set(caller, lent + amount);
      wish.grant();
    }
  }
}
