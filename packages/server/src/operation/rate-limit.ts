import type { Clock } from '../ports/clock.ts';

export interface Limit {
  /** Tokens that come back in a second; 0 for no limit at all. */
  readonly rate: number;
  /** Calls at once. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
  /** Taken here since the other nodes were last told. */
  unreported: number;
}

/** A token bucket for each key. It decides at once, from what this node knows; `SharedLimits` keeps the nodes together. */
export class RateLimit {
  readonly limit: Limit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: Limit, clock: Clock) {
    this.limit = limit;
    this.#clock = clock;
  }

  /** Seconds to wait, or 0 when the call may go on. */
  take(key: string): number {
    if (this.limit.rate === 0) return 0;
    const bucket = this.#bucket(key);
    const wait = this.#wait(bucket.tokens);
    if (wait > 0) return wait;
    bucket.tokens -= 1;
    bucket.unreported += 1;
    return 0;
  }

  /** The same without taking. */
  exhausted(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket || this.limit.rate === 0) return 0;
    return this.#wait(this.#refilled(bucket, this.#clock.now()));
  }

  /** What was taken here and not told yet, from buckets with at most this share of their tokens left. */
  unreported(share: number, most: number): { key: string; amount: number }[] {
    const found: { key: string; amount: number }[] = [];
    for (const key of this.#buckets.keys()) {
      const bucket = this.#bucket(key);
      if (bucket.unreported <= 0 || bucket.tokens > this.limit.burst * share) continue;
      found.push({ key, amount: bucket.unreported });
      bucket.unreported = 0;
      if (found.length === most) break;
    }
    return found;
  }

  /** They could not be told: another time. */
  notTold(key: string, amount: number): void {
    this.#bucket(key).unreported += amount;
  }

  /** What all nodes together left in a bucket, less what was taken here meanwhile. */
  settle(key: string, tokens: number): void {
    const bucket = this.#bucket(key);
    bucket.tokens = tokens - bucket.unreported;
  }

  #bucket(key: string): Bucket {
    const now = this.#clock.now();
    let bucket = this.#buckets.get(key);
    if (bucket) {
      bucket.tokens = this.#refilled(bucket, now);
      bucket.at = now;
      // What has come back since need not be told.
      bucket.unreported = Math.min(bucket.unreported, this.limit.burst - bucket.tokens);
      return bucket;
    }
    if (this.#buckets.size > 10_000) this.#sweep(now);
    bucket = { tokens: this.limit.burst, at: now, unreported: 0 };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #wait(tokens: number): number {
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.limit.rate));
  }

  /** A clock that jumps back must not punish anybody. */
  #refilled(bucket: Bucket, now: number): number {
    return Math.min(this.limit.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * this.limit.rate);
  }

  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets)
      if (this.#refilled(bucket, now) >= this.limit.burst) this.#buckets.delete(key);
  }
}
