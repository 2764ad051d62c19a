import type { Migration } from './migration.ts';

/**
 * Lets each node read a deletion in the search index only once. By `written`, the transaction that added the deletion,
 * a node finds the deletions that it has not read yet. `first` and `last` are a segment's range of document numbers,
 * which shows what deletions concern the segment. SQLite needs no change, because its index is a separate file.
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
