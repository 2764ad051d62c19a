import type { Clock } from '../ports/clock.ts';

export interface TokenBucketLimit {
  /** Number of tokens added to a bucket per second; 0 means no limit. */
  readonly rate: number;
  /** Maximum number of tokens a bucket can hold. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
  /** Number of tokens taken on this node since its last report to the other nodes. */
  unreported: number;
}

/**
 * Rate limit with a token bucket per key. `take` uses only the state of this node; `SharedRateLimits` synchronizes the
 * nodes.
 */
export class RateLimit {
  readonly limit: TokenBucketLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: TokenBucketLimit, clock: Clock) {
    this.limit = limit;
    this.#clock = clock;
  }

  /** Takes a token. Returns 0, or the seconds to wait if the bucket is empty. */
  take(key: string): number {
    if (this.limit.rate === 0) return 0;
    const bucket = this.#bucket(key);
    const wait = this.#wait(bucket.tokens);
    if (wait > 0) return wait;
    bucket.tokens -= 1;
    bucket.unreported += 1;
    return 0;
  }

  /** Returns the number of seconds to wait, as `take` does, but takes no token. */
  secondsToWait(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket || this.limit.rate === 0) return 0;
    return this.#wait(this.#refilled(bucket, this.#clock.now()));
  }

  /**
   * Returns how many tokens were taken from each bucket since the last report to the other nodes, and marks them as
   * reported. Considers only buckets that have at most the fraction `share` of their tokens left. Returns at most
   * `most` buckets.
   */
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

  /**
   * Adds `amount` to the usage that must still be reported to the other nodes. Called after a report of this usage
   * failed.
   */
  restoreUnreported(key: string, amount: number): void {
    this.#bucket(key).unreported += amount;
  }

  /**
   * Sets a bucket to `tokens`, the number of tokens available over all nodes, minus the tokens taken on this node since
   * its last report.
   */
  setTokens(key: string, tokens: number): void {
    const bucket = this.#bucket(key);
    bucket.tokens = tokens - bucket.unreported;
  }

  #bucket(key: string): Bucket {
    const now = this.#clock.now();
    let bucket = this.#buckets.get(key);
    if (bucket) {
      bucket.tokens = this.#refilled(bucket, now);
      bucket.at = now;
      // Do not report taken tokens to the other nodes if the tokens have been refilled since then.
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

  /**
   * Returns the tokens of a bucket after its refill up to the time `now`. If the clock went back, no tokens are
   * removed.
   */
  #refilled(bucket: Bucket, now: number): number {
    return Math.min(this.limit.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * this.limit.rate);
  }

  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets)
      if (this.#refilled(bucket, now) >= this.limit.burst) this.#buckets.delete(key);
  }
}
