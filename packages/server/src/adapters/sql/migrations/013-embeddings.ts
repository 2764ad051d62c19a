import type { Migration } from './migration.ts';

/**
 * Vectors of passages, by model. Like the rest of the index they are made of what the stores hold, so tables named `search_`
 * are in no backup. A base keeps for itself whether its items may be sent to be embedded.
 */
export const embeddings: Migration = {
  number: 13,
  name: 'search by meaning',
  statements: (d) => [
    'ALTER TABLE wiki_base ADD COLUMN by_meaning BIGINT NOT NULL DEFAULT 1',
    // What is to be embedded: like the search outbox, but nobody waits for it, and the endpoint may be away for long.
    `CREATE TABLE search_vector_outbox (
      seq ${d.autoId}, space ${d.text} NOT NULL, id ${d.text} NOT NULL,
      claim ${d.text} NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0)`,
    'CREATE INDEX search_vector_outbox_id ON search_vector_outbox(space, id)',
    // One row for all passages of a thing. `seq` grows with every change of the space, so that a node can ask for what is new;
    // a thing that is gone stays for a while as a row without vectors.
    `CREATE TABLE search_vector (
      space ${d.text} NOT NULL, id ${d.text} NOT NULL, model ${d.text} NOT NULL, owner ${d.text} NOT NULL, seq BIGINT NOT NULL,
      hash ${d.text} NOT NULL, dimensions BIGINT NOT NULL, places ${d.text} NOT NULL, data ${d.blob} NOT NULL,
      PRIMARY KEY (space, id, model))`,
    'CREATE INDEX search_vector_owner ON search_vector(space, model, owner, seq)',
    `CREATE TABLE search_vector_space (space ${d.text} PRIMARY KEY, seq BIGINT NOT NULL)`,
    `CREATE TABLE search_vector_state (name ${d.text} PRIMARY KEY, value ${d.text} NOT NULL)`,
  ],
};
