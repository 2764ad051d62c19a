import type { Migration } from './migration.ts';

/**
 * Lets each server node read every deletion in the search index only once. `written` is the id of the transaction that
 * added the deletion, by which a node finds the deletions that it has not read yet. `first` and `last` are the lowest
 * and highest document number in a segment (part of the index). They show which deletions can concern the segment.
 * SQLite needs no change, because its index is a separate file.
 */
export const incrementalDeletionReads: Migration = {
  number: 22,
  name: 'gone documents, once each',
  statements: (d) =>
    d.name === 'postgres'
      ? [
          'ALTER TABLE search_gone ADD COLUMN written xid8 NOT NULL DEFAULT pg_current_xact_id()',
          'CREATE INDEX search_gone_written ON search_gone(space, written)',
          'DROP INDEX search_gone_space',
          'ALTER TABLE search_segment ADD COLUMN first BIGINT',
          'ALTER TABLE search_segment ADD COLUMN last BIGINT',
        ]
      : ['SELECT 1'],
};
