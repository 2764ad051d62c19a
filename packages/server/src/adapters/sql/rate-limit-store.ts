import type { RateLimitStore, BucketUsage } from '../../ports/rate-limit-store.ts';
import type { Database, Sql } from './database.ts';
import { sql } from './statement.ts';

interface Row {
  /**
   * Number of tokens in the token bucket of a rate limit, in thousandths. `rate` (tokens added per second) and `burst`
   * (maximum number of tokens) are in thousandths too, because the columns are integers.
   */
  tokens: number;
  rate: number;
  burst: number;
  at: number;
}

const scale = 1000;
const find = 'SELECT tokens, rate, burst, at FROM rate_limit WHERE bucket = ?';
const put = `INSERT INTO rate_limit (bucket, tokens, rate, burst, at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (bucket) DO UPDATE SET tokens = excluded.tokens, rate = excluded.rate, burst = excluded.burst, at = excluded.at`;

export class SqlRateLimitStore implements RateLimitStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  take(taken: readonly BucketUsage[], at: number): Promise<number[]> {
    return this.#db.write(null, { lock: 'rate limits' }, (tx) => takeAll(tx, taken, at));
  }

  async since(time: number, at: number): Promise<{ bucket: string; tokens: number }[]> {
    const rows = await this.#db.all<Row & { bucket: string }>(sql`SELECT bucket, tokens, rate, burst, at FROM rate_limit
      WHERE at >= ${time}`);
    return rows.map((row) => ({ bucket: row.bucket, tokens: refilled(row, at) / scale }));
  }

  forgetBefore(time: number): Promise<number> {
    return this.#db.write(null, (tx) => tx.run(sql`DELETE FROM rate_limit WHERE at < ${time}`));
  }
}

async function takeAll(tx: Sql, taken: readonly BucketUsage[], at: number): Promise<number[]> {
  const left: number[] = [];
  for (const { bucket, amount, rate, burst } of taken) {
    const [whole, perSecond] = [Math.round(burst * scale), Math.round(rate * scale)];
    const row = await tx.get<Row>(find, bucket);
    const before = row ? refilled({ ...row, rate: perSecond, burst: whole }, at) : whole;
    // Tokens may fall below zero, because several nodes permit calls before they report them here. Limit the debt to
    // one burst. Otherwise a flood of requests over many nodes would block a client's address for hours.
    const tokens = Math.max(-whole, before - Math.round(amount * scale));
    await tx.execute(put, bucket, tokens, perSecond, whole, at);
    left.push(tokens / scale);
  }
  return left;
}

/**
 * Returns the tokens of a rate limit bucket after the refill since `row.at`. If the clock went back, the number stays
 * the same.
 */
function refilled(row: Row, at: number): number {
  return Math.min(row.burst, row.tokens + Math.floor((Math.max(0, at - row.at) / 1000) * row.rate));
}
