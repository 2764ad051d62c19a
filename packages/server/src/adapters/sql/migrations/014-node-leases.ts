import type { Migration } from './migration.ts';

/**
 * Creates the tables for the leases that permit server nodes to cache authentication results for a short time
 * (docs/decisions/authentication-cache.md). `access_state` has one row, whose `version` increases whenever access is
 * revoked. For each node, `cluster_node` stores until when it may use its cache and which version it has seen.
 */
export const nodeLeases: Migration = {
  number: 14,
  name: 'nodes and what they may remember',
  statements: (d) => [
    'CREATE TABLE access_state (one BIGINT PRIMARY KEY, version BIGINT NOT NULL)',
    'INSERT INTO access_state (one, version) VALUES (1, 1)',
    `CREATE TABLE cluster_node (id ${d.text} PRIMARY KEY, seen BIGINT NOT NULL, lease_until BIGINT NOT NULL)`,
  ],
};
