import { runEvery } from '../lib/background-tasks.ts';
import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { RateLimitStore, BucketUsage } from '../ports/rate-limit-store.ts';
import { RateLimit, type TokenBucketLimit } from './rate-limit.ts';

interface SharedLimit {
  readonly name: string;
  readonly limit: RateLimit;
  /**
   * Fraction from 0 to 1. The usage of a token bucket is reported to the other nodes only when at most this fraction of
   * the bucket's tokens is left.
   */
  readonly share: number;
}

const exchangeIntervalMs = 1000;
/**
 * Maximum number of rate limit buckets that a node reports at a time, so that an attack from very many addresses does
 * not overload the database.
 */
const maxBucketsPerExchange = 500;
/**
 * Time in milliseconds after which an unchanged rate limit bucket is deleted from the database, because by then it is
 * full again.
 */
const retentionMs = 60 * 60 * 1000;

/**
 * Manages the rate limits of the installation. Calls are checked in memory, and the nodes exchange their usage through
 * the database about once a second. Limits thus hold across nodes and restarts at no cost per call.
 */
export class SharedRateLimits {
  readonly #store: RateLimitStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #limits: SharedLimit[] = [];
  #timer: NodeJS.Timeout | undefined;
  #exchange: Promise<void> | undefined;

  constructor(store: RateLimitStore, clock: Clock, log: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Creates a rate limit. Its name must be the same on every node, because the nodes exchange usage by this name. The
   * usage of a bucket is reported only when at most the fraction `share` of its tokens is left.
   */
  limit(name: string, limit: TokenBucketLimit, share = 1): RateLimit {
    const made = new RateLimit(limit, this.#clock);
    if (limit.rate > 0) this.#limits.push({ name, limit: made, share });
    return made;
  }

  /** Loads the usage recorded by other nodes and earlier runs, and starts the periodic exchange. */
  async start(): Promise<void> {
    await this.#load(this.#clock.now() - retentionMs);
    this.#timer = runEvery('sharing rate limits', exchangeIntervalMs, () => this.exchange()).unref();
  }

  /**
   * Reports to the other nodes how much of the rate limits this node has used, and loads how much they have used. A
   * failure is logged, and the next exchange reports the usage again. No call is refused because of a failure.
   */
  exchange(): Promise<void> {
    this.#exchange ??= this.#report()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'rate limits could not be shared'))
      .finally(() => {
        this.#exchange = undefined;
      });
    return this.#exchange;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#exchange;
    await this.exchange();
  }

  deleteExpired(): Promise<number> {
    return this.#store.forgetBefore(this.#clock.now() - retentionMs);
  }

  async #report(): Promise<void> {
    const told = this.#limits.flatMap((shared) =>
      shared.limit.unreported(shared.share, maxBucketsPerExchange).map((one) => ({ ...one, shared })),
    );
    if (told.length === 0) return;
    const taken = told.map(({ key, amount, shared }): BucketUsage => ({
      bucket: `${shared.name} ${key}`,
      amount,
      ...shared.limit.limit,
    }));
    try {
      const left = await this.#store.take(taken, this.#clock.now());
      for (const [index, { key, shared }] of told.entries()) shared.limit.setTokens(key, left[index]!);
    } catch (error) {
      for (const { key, amount, shared } of told) shared.limit.restoreUnreported(key, amount);
      throw error;
    }
  }

  async #load(since: number): Promise<void> {
    for (const { bucket, tokens } of await this.#store.since(since, this.#clock.now())) {
      const space = bucket.indexOf(' ');
      const shared = this.#limits.find(({ name }) => name === bucket.slice(0, space));
      shared?.limit.setTokens(bucket.slice(space + 1), tokens);
    }
  }
}
