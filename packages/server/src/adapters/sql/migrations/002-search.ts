import type { Migration } from './migration.ts';

/**
 * Creates the table `search_outbox`, which lists changes that are not in the search index yet. On PostgreSQL the index
 * is in the same database; with SQLite it is a separate file.
 */
export const search: Migration = {
  number: 2,
  name: 'search',
  statements: (d) => [
    `CREATE TABLE search_outbox (
      seq ${d.autoId}, space ${d.text} NOT NULL, id ${d.text} NOT NULL,
      claim ${d.text} NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0)`,
    'CREATE INDEX search_outbox_id ON search_outbox(space, id)',
    ...(d.name === 'postgres' ? postgresIndex(d.text) : []),
  ],
};

function postgresIndex(text: string): string[] {
  return [
    // `tokens` holds the tokens (words) of an entry in their order, each prefixed with the letter of its field, such as
    // title or heading. The array index finds entries that contain all words of a query, and a substring search
    // confirms phrases. PostgreSQL's own type `tsvector` does not suffice, because it loses positions past 16,383 and
    // is limited to one mebibyte.
    `CREATE TABLE search_entry (
      space ${text} NOT NULL, id ${text} NOT NULL, owner ${text} NOT NULL, created BIGINT NOT NULL, modified BIGINT NOT NULL,
      size BIGINT NOT NULL, title_key ${text} NOT NULL, title_tokens ${text} NOT NULL, heading_tokens ${text} NOT NULL,
      tokens ${text} NOT NULL, PRIMARY KEY (space, id)) WITH (toast_tuple_target = 512)`,
    'ALTER TABLE search_entry ALTER title_key SET STORAGE MAIN',
    'ALTER TABLE search_entry ALTER title_tokens SET STORAGE MAIN',
    `CREATE INDEX search_entry_tokens ON search_entry USING gin (string_to_array(tokens, ' ')) WITH (gin_pending_list_limit = 1024)`,
    'CREATE INDEX search_entry_modified ON search_entry(space, owner, modified DESC, id)',
    'CREATE INDEX search_entry_created ON search_entry(space, owner, created DESC, id)',
    'CREATE INDEX search_entry_title ON search_entry(space, owner, title_key, id)',
    'CREATE INDEX search_entry_size ON search_entry(space, owner, size DESC, id)',
    `CREATE TABLE search_state (name ${text} PRIMARY KEY, value ${text} NOT NULL)`,
  ];
}
