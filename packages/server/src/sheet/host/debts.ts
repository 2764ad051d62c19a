/** How long a thread may be kept busy at once, and how much of a processor from then on. */
export interface Credit {
  readonly burstMs: number;
  /** Of each second. */
  readonly shareMs: number;
}

interface Debt {
  ms: number;
  at: number;
  isOver: boolean;
}

/** Longer than this nobody pays for what was. */
const maxMs = 15_000;
const maxKept = 10_000;

/** What documents and users took of the threads lately: a debt that grows by the time they take and falls steadily. */
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

  /** As if it had taken more than it may. */
  fill(key: string): void {
    this.add(key, 2 * this.#credit.burstMs);
  }

  /** Whoever was over stays so until half of the burst is free again: documents do not go to and fro. */
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

/** A call that takes longer is none of the quick ones. */
const quickMs = 250;

/** How many calls in a row were quick, by document and by user. */
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
