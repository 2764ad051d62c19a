import type { Migration } from './migration.ts';

/**
 * Creates the table of rate limits, which all server nodes share. Each row is a token bucket: a call takes tokens, and
 * `rate` tokens are added per second, up to `burst`. The columns are integers, so these numbers are stored in
 * thousandths.
 */
export const rateLimits: Migration = {
  number: 7,
  name: 'rate limits that nodes share',
  statements: (d) => [
    `CREATE TABLE rate_limit (
      bucket ${d.text} PRIMARY KEY, tokens BIGINT NOT NULL, rate BIGINT NOT NULL, burst BIGINT NOT NULL, at BIGINT NOT NULL)`,
    'CREATE INDEX rate_limit_at ON rate_limit(at)',
  ],
};
