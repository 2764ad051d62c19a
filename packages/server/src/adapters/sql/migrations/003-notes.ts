import type { Migration } from './migration.ts';

/**
 * Creates the tables of notes. A version stores either the whole text or only the text appended to the previous
 * version, so that appending a line to a long note stores only that line. `note.whole_version` is the newest version
 * with the whole text.
 */
export const notes: Migration = {
  number: 3,
  name: 'notes',
  statements: (d) => [
    `CREATE TABLE storage_use (user_id ${d.text} PRIMARY KEY, bytes BIGINT NOT NULL)`,
    `CREATE TABLE note_space (
      user_id ${d.text} PRIMARY KEY, version BIGINT NOT NULL, note_count BIGINT NOT NULL, loose_count BIGINT NOT NULL,
      modified_at BIGINT NOT NULL)`,
    `CREATE TABLE notebook (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL, name ${d.text} NOT NULL, parent_id ${d.text} NOT NULL,
      note_count BIGINT NOT NULL, created_at BIGINT NOT NULL, modified_at BIGINT NOT NULL)`,
    'CREATE UNIQUE INDEX notebook_name ON notebook(user_id, parent_id, name)',
    'CREATE INDEX notebook_created ON notebook(user_id, created_at, id)',
    `CREATE TABLE note (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL, notebook_id ${d.text} NOT NULL, title ${d.text} NOT NULL,
      title_key ${d.text} NOT NULL, is_titled BIGINT NOT NULL, summary ${d.text} NOT NULL, cover_image ${d.text} NOT NULL,
      size BIGINT NOT NULL, stored_bytes BIGINT NOT NULL, version BIGINT NOT NULL, whole_version BIGINT NOT NULL,
      line_ends BIGINT NOT NULL, created_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, deleted_at BIGINT)`,
    ...['modified_at DESC', 'created_at DESC', 'title_key', 'size DESC'].flatMap((order) => {
      const name = order.split(/_| /)[0];
      return [
        `CREATE INDEX note_all_${name} ON note(user_id, ${order}, id) WHERE deleted_at IS NULL`,
        `CREATE INDEX note_in_${name} ON note(user_id, notebook_id, ${order}, id) WHERE deleted_at IS NULL`,
      ];
    }),
    'CREATE INDEX note_trash ON note(user_id, deleted_at DESC, id) WHERE deleted_at IS NOT NULL',
    'CREATE INDEX note_purge ON note(deleted_at) WHERE deleted_at IS NOT NULL',
    `CREATE TABLE note_version (
      note_id ${d.text} NOT NULL, version BIGINT NOT NULL, is_whole BIGINT NOT NULL, title ${d.text} NOT NULL, size BIGINT NOT NULL,
      lead BIGINT NOT NULL, is_packed BIGINT NOT NULL, body ${d.blob} NOT NULL, at BIGINT NOT NULL, key_id ${d.text} NOT NULL,
      operation ${d.text} NOT NULL, PRIMARY KEY (note_id, version))`,
  ],
};
