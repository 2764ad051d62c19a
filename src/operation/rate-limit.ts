import type { Clock } from '../ports/clock.ts';

/** A token bucket for each key: `rate` a second, `burst` at once. */
export class RateLimit {
  readonly #rate: number;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(rate: number, burst: number, clock: Clock) {
    this.#rate = rate;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Seconds to wait, or 0 when the call may go on. */
  take(key: string): number {
    if (this.#rate === 0) return 0;
    const now = this.#clock.now();
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size > 10_000) this.#sweep(now);
      bucket = { tokens: this.#burst, at: now };
      this.#buckets.set(key, bucket);
    }
    // A clock that jumps back must not punish anybody.
    const elapsed = Math.max(0, now - bucket.at) / 1000;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + elapsed * this.#rate);
    bucket.at = now;
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / this.#rate));
    bucket.tokens -= 1;
    return 0;
  }

  /** Whether the bucket is empty, without taking from it. */
  exhausted(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket || this.#rate === 0) return 0;
    const tokens = bucket.tokens + (Math.max(0, this.#clock.now() - bucket.at) / 1000) * this.#rate;
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#rate));
  }

  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.tokens + ((now - bucket.at) / 1000) * this.#rate >= this.#burst) this.#buckets.delete(key);
    }
  }
}
