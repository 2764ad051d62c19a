import type { Migration } from './migration.ts';

/**
 * Which format each segment is written in, and which one the index has now. There is no default: a node of the time before
 * this column fails to write and leaves its changes to the others. The file beside SQLite knows its own version.
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
          // Empty: nobody has written anything yet.
          `INSERT INTO search_state (name, value)
           SELECT 'format', coalesce((SELECT value FROM search_state WHERE name = 'complete'), '')`,
        ]
      : ['SELECT 1'],
};
