import type { Migration } from './migration.ts';

/**
 * Stores the search index on PostgreSQL as segments (packages/search), each built from a batch of documents, in the
 * same format as in SQLite's index file. The server rebuilds the index in the background. Nothing changes for SQLite,
 * whose index file has its own version number.
 */
export const searchSegments: Migration = {
  number: 11,
  name: 'search by segments',
  statements: (d) =>
    d.name === 'postgres'
      ? [
          'DROP TABLE search_entry',
          "DELETE FROM search_state WHERE name = 'complete'",
          // `version` changes whenever the tables below change. Nodes compare it to validate their caches.
          `CREATE TABLE search_space (space ${d.text} PRIMARY KEY, version BIGINT NOT NULL)`,
          `CREATE TABLE search_segment (
            number ${d.autoId}, space ${d.text} NOT NULL, documents BIGINT NOT NULL, bytes BIGINT NOT NULL)`,
          'CREATE INDEX search_segment_space ON search_segment(space)',
          `CREATE TABLE search_part (
            segment BIGINT NOT NULL, part INTEGER NOT NULL, data ${d.blob} NOT NULL, PRIMARY KEY (segment, part))`,
          // Disable compression, because the bytes are already compressed.
          'ALTER TABLE search_part ALTER data SET STORAGE EXTERNAL',
          `CREATE TABLE search_document (
            number BIGINT PRIMARY KEY, space ${d.text} NOT NULL, id ${d.text} NOT NULL, UNIQUE (space, id))`,
          `CREATE TABLE search_gone (document BIGINT PRIMARY KEY, space ${d.text} NOT NULL)`,
          'CREATE INDEX search_gone_space ON search_gone(space)',
          'CREATE SEQUENCE search_number INCREMENT BY 4096',
        ]
      : ['SELECT 1'],
};
