import type { Migration } from './migration.ts';

/**
 * Adds the table that records which embedding model (for search by meaning) runs in the server process. The files of
 * the model are in the blob store.
 */
export const embeddingModel: Migration = {
  number: 26,
  name: 'embedding model',
  worksWith: 23,
  statements: (d) => [
    `CREATE TABLE embedding_model (name ${d.text} PRIMARY KEY, record ${d.text} NOT NULL, created_at BIGINT NOT NULL)`,
  ],
};
