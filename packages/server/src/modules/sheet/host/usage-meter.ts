/** A quota of thread time: `burstMs` milliseconds at once, and `shareMs` milliseconds per second over a longer time. */
export interface TimeQuota {
  readonly burstMs: number;
  /** Milliseconds of thread time per second that may be used on average, in addition to `burstMs`. */
  readonly shareMs: number;
}

interface Usage {
  ms: number;
  at: number;
  isOver: boolean;
}

/**
 * Maximum thread time in milliseconds that is recorded for a document or user. Without it, a single very long
 * calculation would keep a document in a thread for slow documents for too long.
 */
const maxUsageMs = 15_000;
const maxKeys = 10_000;

/**
 * Measures the thread time of documents and users as a leaky bucket: usage is added, and decreases over time by the
 * quota's `shareMs` per second.
 */
export class UsageMeter {
  readonly #quota: TimeQuota;
  readonly #now: () => number;
  readonly #usage = new Map<string, Usage>();

  constructor(credit: TimeQuota, now: () => number = () => performance.now()) {
    this.#quota = credit;
    this.#now = now;
  }

  add(key: string, ms: number): void {
    const debt = this.#drain(key) ?? { ms: 0, at: this.#now(), isOver: false };
    debt.ms = Math.min(maxUsageMs, debt.ms + ms);
    if (debt.ms > this.#quota.burstMs) debt.isOver = true;
    this.#usage.delete(key);
    this.#usage.set(key, debt);
    if (this.#usage.size > maxKeys) this.#usage.delete(this.#usage.keys().next().value!);
  }

  markOverQuota(key: string): void {
    this.add(key, 2 * this.#quota.burstMs);
  }

  /**
   * Returns whether the document or user `key` is over its quota. Once it is, the result stays true until half of
   * `burstMs` is free again, so that documents do not switch threads all the time.
   */
  isOver(key: string): boolean {
    return this.#drain(key)?.isOver === true;
  }

  #drain(key: string): Usage | undefined {
    const debt = this.#usage.get(key);
    if (!debt) return undefined;
    const now = this.#now();
    debt.ms = Math.max(0, debt.ms - ((now - debt.at) / 1000) * this.#quota.shareMs);
    debt.at = now;
    if (debt.ms < this.#quota.burstMs / 2) debt.isOver = false;
    if (debt.ms === 0) this.#usage.delete(key);
    return debt;
  }
}

/** Maximum duration of a fast call in milliseconds. */
const quickMs = 250;

/** Counts consecutive fast calls per document and per user. A slow call resets the count. */
export class QuickCallCounter {
  readonly #runs = new Map<string, number>();

  add(key: string, ms: number): void {
    const before = this.#runs.get(key) ?? 0;
    this.#runs.delete(key);
    if (ms <= quickMs) this.#runs.set(key, before + 1);
    if (this.#runs.size > maxKeys) this.#runs.delete(this.#runs.keys().next().value!);
  }

  countOf(key: string): number {
    return this.#runs.get(key) ?? 0;
  }
}
