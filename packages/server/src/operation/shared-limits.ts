import { every } from '../lib/background.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../ports/clock.ts';
import type { LimitStore, Taken } from '../ports/limit-store.ts';
import { RateLimit, type Limit } from './rate-limit.ts';

interface Shared {
  readonly name: string;
  readonly limit: RateLimit;
  /** Only buckets with at most this share of their tokens left are worth telling the other nodes about. */
  readonly share: number;
}

const everyMs = 1000;
/** Buckets told at once: whoever calls from very many addresses must not make the exchange itself a burden. */
const maxAtOnce = 500;
/** Longer than any bucket takes to fill. */
const rememberedMs = 60 * 60 * 1000;

/**
 * The rate limits of the installation. Each call is decided in memory; about once a second the nodes tell each other,
 * through the database, what they took. So a limit holds over all nodes and outlasts a restart, and costs a call nothing.
 */
export class SharedLimits {
  readonly #store: LimitStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limits: Shared[] = [];
  #timer: NodeJS.Timeout | undefined;
  #exchange: Promise<void> | undefined;

  constructor(store: LimitStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** A limit by its name, the same on every node. */
  limit(name: string, limit: Limit, share = 1): RateLimit {
    const made = new RateLimit(limit, this.#clock);
    if (limit.rate > 0) this.#limits.push({ name, limit: made, share });
    return made;
  }

  /** Takes over what was left in the buckets before this start, and goes on exchanging. */
  async start(): Promise<void> {
    await this.#learn(this.#clock.now() - rememberedMs);
    this.#timer = every('sharing rate limits', everyMs, () => this.exchange()).unref();
  }

  /** Tells the other nodes and hears from them. Failing is no reason to refuse calls: it is tried again. */
  exchange(): Promise<void> {
    this.#exchange ??= this.#tell()
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

  forgetOld(): Promise<number> {
    return this.#store.forgetBefore(this.#clock.now() - rememberedMs);
  }

  async #tell(): Promise<void> {
    const told = this.#limits.flatMap((shared) =>
      shared.limit.unreported(shared.share, maxAtOnce).map((one) => ({ ...one, shared })),
    );
    if (told.length === 0) return;
    const taken = told.map(({ key, amount, shared }): Taken => ({
      bucket: `${shared.name} ${key}`,
      amount,
      ...shared.limit.limit,
    }));
    try {
      const left = await this.#store.take(taken, this.#clock.now());
      for (const [index, { key, shared }] of told.entries()) shared.limit.settle(key, left[index]!);
    } catch (error) {
      for (const { key, amount, shared } of told) shared.limit.notTold(key, amount);
      throw error;
    }
  }

  async #learn(since: number): Promise<void> {
    for (const { bucket, tokens } of await this.#store.since(since, this.#clock.now())) {
      const space = bucket.indexOf(' ');
      const shared = this.#limits.find(({ name }) => name === bucket.slice(0, space));
      shared?.limit.settle(bucket.slice(space + 1), tokens);
    }
  }
}
