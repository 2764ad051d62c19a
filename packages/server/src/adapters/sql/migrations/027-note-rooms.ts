import type { Migration } from './migration.ts';

/**
 * Creates the tables of rooms. A room is the shared state of a note that several people and agents edit at once. The
 * text in `note_room.state` is the note's text at `version`; `note_room_update` contains later updates.
 *
 * `document_lease` records which server node holds a document, such as a room, in memory. Its rows stay when a lease
 * ends, because `token` must never decrease. `note_suggestion` contains suggested changes that nobody has accepted or
 * rejected yet.
 */
export const noteRooms: Migration = {
  number: 27,
  name: 'rooms of open notes, suggestions',
  worksWith: 23,
  statements: (d) => [
    `CREATE TABLE document_lease (
      resource ${d.text} PRIMARY KEY, node ${d.text} NOT NULL, address ${d.text} NOT NULL, token BIGINT NOT NULL,
      expires_at BIGINT NOT NULL)`,
    'CREATE INDEX document_lease_node ON document_lease(node)',
    `CREATE TABLE note_room (
      note_id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL, room_id ${d.text} NOT NULL, version BIGINT NOT NULL,
      state ${d.blob} NOT NULL, bytes BIGINT NOT NULL, seq BIGINT NOT NULL, used_at BIGINT NOT NULL)`,
    'CREATE INDEX note_room_used ON note_room(used_at)',
    `CREATE TABLE note_room_update (
      note_id ${d.text} NOT NULL, seq BIGINT NOT NULL, body ${d.blob} NOT NULL, PRIMARY KEY (note_id, seq))`,
    `CREATE TABLE note_suggestion (
      id ${d.text} PRIMARY KEY, note_id ${d.text} NOT NULL, user_id ${d.text} NOT NULL, key_id ${d.text} NOT NULL,
      at BIGINT NOT NULL, base_version BIGINT NOT NULL, edits ${d.text} NOT NULL, is_open BIGINT NOT NULL)`,
    'CREATE INDEX note_suggestion_note ON note_suggestion(note_id, is_open)',
    `CREATE TABLE note_room_writer (
      note_id ${d.text} NOT NULL, client BIGINT NOT NULL, user_id ${d.text} NOT NULL, PRIMARY KEY (note_id, client))`,
  ],
};
