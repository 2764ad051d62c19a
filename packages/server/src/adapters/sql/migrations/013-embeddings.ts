import type { Migration } from './migration.ts';

/**
 * Creates the tables for search by meaning, which compares embedding vectors of text passages. The tables whose names
 * start with `search_` are derived from other data and not backed up. `by_meaning` states whether the items of a
 * knowledge base may be sent to the embedding endpoint, the service that computes the vectors.
 */
export const embeddings: Migration = {
  number: 13,
  name: 'search by meaning',
  statements: (d) => [
    'ALTER TABLE wiki_base ADD COLUMN by_meaning BIGINT NOT NULL DEFAULT 1',
    // Queue of changed entries (such as notes) whose texts must be embedded. It is separate from `search_outbox`, the
    // queue of the word index, because no search waits for embeddings and the embedding endpoint may be unavailable for
    // long.
    `CREATE TABLE search_vector_outbox (
      seq ${d.autoId}, space ${d.text} NOT NULL, id ${d.text} NOT NULL,
      claim ${d.text} NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0)`,
    'CREATE INDEX search_vector_outbox_id ON search_vector_outbox(space, id)',
    // One row holds the vectors of all passages of an entry. `seq` increases with every change in the entry's `space`
    // (kind of entry), so that a server node can query the changes since its last read. The row of a deleted entry
    // stays for a while without vectors, so that nodes see the deletion.
    `CREATE TABLE search_vector (
      space ${d.text} NOT NULL, id ${d.text} NOT NULL, model ${d.text} NOT NULL, owner ${d.text} NOT NULL, seq BIGINT NOT NULL,
      hash ${d.text} NOT NULL, dimensions BIGINT NOT NULL, places ${d.text} NOT NULL, data ${d.blob} NOT NULL,
      PRIMARY KEY (space, id, model))`,
    'CREATE INDEX search_vector_owner ON search_vector(space, model, owner, seq)',
    `CREATE TABLE search_vector_space (space ${d.text} PRIMARY KEY, seq BIGINT NOT NULL)`,
    `CREATE TABLE search_vector_state (name ${d.text} PRIMARY KEY, value ${d.text} NOT NULL)`,
  ],
};
