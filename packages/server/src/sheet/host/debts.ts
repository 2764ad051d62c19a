/** A quota of thread time: a burst, and then a steady share. */
export interface Credit {
  readonly burstMs: number;
  /** Milliseconds per second. */
  readonly shareMs: number;
}

interface Debt {
  ms: number;
  at: number;
  isOver: boolean;
}

/** Maximum debt, so that a long calculation does not count forever. */
const maxMs = 15_000;
const maxKept = 10_000;

/**
 * Meters the thread time that documents and users have used recently (a leaky bucket): usage adds up and drains
 * steadily.
 */
export class Debts {
  readonly #credit: Credit;
  readonly #now: () => number;
  readonly #debts = new Map<string, Debt>();

  constructor(credit: Credit, now: () => number = () => performance.now()) {
    this.#credit = credit;
    this.#now = now;
  }

  add(key: string, ms: number): void {
    const debt = this.#settled(key) ?? { ms: 0, at: this.#now(), isOver: false };
    debt.ms = Math.min(maxMs, debt.ms + ms);
    if (debt.ms > this.#credit.burstMs) debt.isOver = true;
    this.#debts.delete(key);
    this.#debts.set(key, debt);
    if (this.#debts.size > maxKept) this.#debts.delete(this.#debts.keys().next().value!);
  }

  /** Marks the key as over its quota. */
  fill(key: string): void {
    this.add(key, 2 * this.#credit.burstMs);
  }

  /**
   * True if the key is over its quota. Stays true until half of the burst is free again, so that documents do not
   * switch lanes all the time.
   */
  isOver(key: string): boolean {
    return this.#settled(key)?.isOver === true;
  }

  #settled(key: string): Debt | undefined {
    const debt = this.#debts.get(key);
    if (!debt) return undefined;
    const now = this.#now();
    debt.ms = Math.max(0, debt.ms - ((now - debt.at) / 1000) * this.#credit.shareMs);
    debt.at = now;
    if (debt.ms < this.#credit.burstMs / 2) debt.isOver = false;
    if (debt.ms === 0) this.#debts.delete(key);
    return debt;
  }
}

/** Longest duration of a quick call. */
const quickMs = 250;

/** Number of consecutive quick calls, per document and per user. */
export class Records {
  readonly #runs = new Map<string, number>();

  add(key: string, ms: number): void {
    const before = this.#runs.get(key) ?? 0;
    this.#runs.delete(key);
    if (ms <= quickMs) this.#runs.set(key, before + 1);
    if (this.#runs.size > maxKept) this.#runs.delete(this.#runs.keys().next().value!);
  }

  of(key: string): number {
    return this.#runs.get(key) ?? 0;
  }
}
