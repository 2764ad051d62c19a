import type { Migration } from './migration.ts';

/**
 * Creates the tables of links, tasks and tags, which are derived from the texts of notes. `note.scanned_version` is the
 * version of the note from which its rows were derived. A partial index lists the notes that have a different version
 * by now. It needs no further statement in a write, and also finds notes written by older servers.
 *
 * Tags that come from the text have `is_text` 1; tags that a user or app added separately have 0. `note_change` records
 * which note versions one call made, so that the call can be undone.
 */
export const noteGraph: Migration = {
  number: 25,
  name: 'links, tasks and tags of notes',
  worksWith: 23,
  statements: (d) => [
    'ALTER TABLE note ADD COLUMN scanned_version BIGINT NOT NULL DEFAULT 0',
    'CREATE INDEX note_unscanned ON note(user_id, id) WHERE scanned_version <> version',
    `CREATE TABLE note_link (
      note_id ${d.text} NOT NULL, number BIGINT NOT NULL, user_id ${d.text} NOT NULL, kind ${d.text} NOT NULL,
      target_id ${d.text} NOT NULL, title ${d.text} NOT NULL, title_key ${d.text} NOT NULL, heading ${d.text} NOT NULL,
      line BIGINT NOT NULL, sentence ${d.text} NOT NULL, occurrences BIGINT NOT NULL, PRIMARY KEY (note_id, number))`,
    "CREATE INDEX note_link_target ON note_link(target_id) WHERE target_id <> ''",
    "CREATE INDEX note_link_open ON note_link(user_id, title_key) WHERE target_id = ''",
    'CREATE INDEX note_link_user ON note_link(user_id, note_id, number)',
    `CREATE TABLE note_task (
      note_id ${d.text} NOT NULL, line BIGINT NOT NULL, user_id ${d.text} NOT NULL, text ${d.text} NOT NULL,
      is_done BIGINT NOT NULL, due ${d.text} NOT NULL, PRIMARY KEY (note_id, line))`,
    'CREATE INDEX note_task_due ON note_task(user_id, is_done, due, note_id, line)',
    `CREATE TABLE object_tag (
      kind ${d.text} NOT NULL, object_id ${d.text} NOT NULL, tag_key ${d.text} NOT NULL, tag ${d.text} NOT NULL,
      is_text BIGINT NOT NULL, user_id ${d.text} NOT NULL, PRIMARY KEY (object_id, tag_key, is_text))`,
    'CREATE INDEX object_tag_user ON object_tag(user_id, kind, tag_key)',
    `CREATE TABLE note_change (
      change_id ${d.text} NOT NULL, note_id ${d.text} NOT NULL, user_id ${d.text} NOT NULL, at BIGINT NOT NULL,
      from_version BIGINT NOT NULL, to_version BIGINT NOT NULL, old_title ${d.text} NOT NULL, was_titled BIGINT NOT NULL,
      new_title ${d.text} NOT NULL, PRIMARY KEY (change_id, note_id))`,
    'CREATE INDEX note_change_note ON note_change(note_id)',
    'CREATE INDEX note_change_at ON note_change(at)',
  ],
};
