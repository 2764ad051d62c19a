import type { Migration } from './migration.ts';

/**
 * On PostgreSQL, leaves more than half of each page of the search outbox empty. Every change is claimed by an update
 * before it is indexed, and an update that finds room in the row's page writes no index entries.
 */
export const outboxRoom: Migration = {
  number: 38,
  name: 'room in the search outbox',
  worksWith: 23,
  statements: (d) =>
    d.name === 'postgres'
      ? ['search_outbox', 'search_vector_outbox'].map((table) => `ALTER TABLE ${table} SET (fillfactor = 45)`)
      : ['SELECT 1'],
};
