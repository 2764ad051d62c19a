import type { Migration } from './migration.ts';

/**
 * Adds the user who made a change to each change that waits to be indexed, so that a search waits only for the changes
 * of the user who searches. '' means the installation itself. NULL means unknown (written by an older version) and
 * counts for every user. `is_text` is 1 for changes of a knowledge base item's text; the item is marked as ready once
 * such a change is indexed.
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
