import type { Migration } from './migration.ts';

/**
 * What is gone from the search index is told to a node once: which transaction wrote it tells what it has not seen, and the
 * numbers of a segment's documents tell what concerns a segment that is new to it. On SQLite the index is a file of its own.
 */
export const goneDocuments: Migration = {
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
