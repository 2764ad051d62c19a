import type { Migration } from './migration.ts';

/**
 * Whose change waits to be indexed, so that a search waits for its caller's own ones: empty for the installation's, NULL where it
 * is not known (written by an older version), which is everybody's. And which rows hold back that an item is ready.
 */
export const outboxUsers: Migration = {
  number: 23,
  name: 'users of the search outbox',
  worksWith: 22,
  statements: (d) => [
    ...['search_outbox', 'search_vector_outbox'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN user_id ${d.text}`,
      `ALTER TABLE ${table} ADD COLUMN is_text BIGINT NOT NULL DEFAULT 0`,
    ]),
    'CREATE INDEX search_outbox_user ON search_outbox(space, user_id, seq)',
  ],
};
