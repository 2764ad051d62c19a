import type { Migration } from './migration.ts';

/**
 * Nodes remember who was let in for as long as they hold a lease (docs/decisions/known-callers.md). `access_state` has one
 * row, whose version grows when somebody may no longer be let in; `cluster_node` says until when each node may answer by
 * what it remembers, and the version it has seen.
 */
export const nodes: Migration = {
  number: 14,
  name: 'nodes and what they may remember',
  statements: (d) => [
    'CREATE TABLE access_state (one BIGINT PRIMARY KEY, version BIGINT NOT NULL)',
    'INSERT INTO access_state (one, version) VALUES (1, 1)',
    `CREATE TABLE cluster_node (id ${d.text} PRIMARY KEY, seen BIGINT NOT NULL, lease_until BIGINT NOT NULL)`,
  ],
};
