import type { Migration } from './migration.ts';

/**
 * Lets a node read each deletion in the search index only once. `written` is the transaction that wrote a deletion,
 * which shows whether the deletion is new to the node. A segment's range of document numbers shows which deletions
 * belong to a new segment. Nothing changes for SQLite, whose index is a separate file.
 */
export const indexDeletions: Migration = {
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
