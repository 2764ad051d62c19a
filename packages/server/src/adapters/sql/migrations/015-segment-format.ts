import type { Migration } from './migration.ts';

/**
 * On PostgreSQL, adds the format of each segment (part of the search index) and the current format of the index. The
 * new column has no default value. So a node of an earlier version, which does not know the column, fails to write to
 * the index and leaves its changes to newer nodes. SQLite's index file has its own version number.
 */
export const segmentFormats: Migration = {
  number: 15,
  name: 'formats of search segments',
  statements: (d) =>
    d.name === 'postgres'
      ? [
          `ALTER TABLE search_segment ADD COLUMN format ${d.text} NOT NULL DEFAULT ''`,
          `UPDATE search_segment SET format = coalesce((SELECT value FROM search_state WHERE name = 'complete'), '')`,
          'ALTER TABLE search_segment ALTER COLUMN format DROP DEFAULT',
          // The value of `format` is empty if no node has written to the index yet.
          `INSERT INTO search_state (name, value)
           SELECT 'format', coalesce((SELECT value FROM search_state WHERE name = 'complete'), '')`,
        ]
      : ['SELECT 1'],
};
