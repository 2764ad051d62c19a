import type { Migration } from './migration.ts';

/**
 * Creates the tables for the embedding vectors of passages. The vectors are derived from other data, so these tables,
 * whose names start with `search_`, are not backed up. `by_meaning` states whether a base's items may be sent to the
 * embedding endpoint.
 */
export const embeddings: Migration = {
  number: 13,
  name: 'search by meaning',
  statements: (d) => [
    'ALTER TABLE wiki_base ADD COLUMN by_meaning BIGINT NOT NULL DEFAULT 1',
    // Lists changes whose texts must be embedded. It is separate from the search outbox, because no search waits for it
    // and the embedding endpoint may be unavailable for long.
    `CREATE TABLE search_vector_outbox (
      seq ${d.autoId}, space ${d.text} NOT NULL, id ${d.text} NOT NULL,
      claim ${d.text} NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0)`,
    'CREATE INDEX search_vector_outbox_id ON search_vector_outbox(space, id)',
    // One row holds all passages of an entry. `seq` increases with every change of the space, so that a node can query
    // the changes since its last read. A deleted entry remains for a while as a row without vectors.
    `CREATE TABLE search_vector (
      space ${d.text} NOT NULL, id ${d.text} NOT NULL, model ${d.text} NOT NULL, owner ${d.text} NOT NULL, seq BIGINT NOT NULL,
      hash ${d.text} NOT NULL, dimensions BIGINT NOT NULL, places ${d.text} NOT NULL, data ${d.blob} NOT NULL,
      PRIMARY KEY (space, id, model))`,
    'CREATE INDEX search_vector_owner ON search_vector(space, model, owner, seq)',
    `CREATE TABLE search_vector_space (space ${d.text} PRIMARY KEY, seq BIGINT NOT NULL)`,
    `CREATE TABLE search_vector_state (name ${d.text} PRIMARY KEY, value ${d.text} NOT NULL)`,
  ],
};
