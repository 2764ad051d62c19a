/** A fixed amount of something (bytes in memory), lent out in turn. Who wants more than there is gets all of it, alone. */
export class Budget {
  readonly #total: number;
  #free: number;
  readonly #waiting: { amount: number; grant: () => void }[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  async use<Result>(wanted: number, work: () => Promise<Result>): Promise<Result> {
    const amount = Math.min(wanted, this.#total);
    await new Promise<void>((grant) => {
      this.#waiting.push({ amount, grant });
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#free += amount;
      this.#next();
    }
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#waiting[0]!.amount <= this.#free) {
      const { amount, grant } = this.#waiting.shift()!;
      this.#free -= amount;
      grant();
    }
  }
}
