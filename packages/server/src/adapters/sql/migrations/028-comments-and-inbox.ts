import type { Migration } from './migration.ts';

/**
 * Adds comments on notes, a table of the objects that users follow, and a table of the inbox lines that users have
 * read. Comment threads on cells stay in the spreadsheet. `comment_notice` lists the users whom a comment concerns,
 * without its text.
 *
 * In rows written by earlier versions, `note_version.user_id` is '' and `document_member.added_at` is 0.
 * `follow.is_following` is 0 if the user chose not to follow the object, so that commenting on it does not make the
 * user follow it again.
 */
export const commentsAndInbox: Migration = {
  number: 28,
  name: 'comments and inbox',
  worksWith: 23,
  statements: (d) => [
    `ALTER TABLE note_version ADD COLUMN user_id ${d.text} NOT NULL DEFAULT ''`,
    'ALTER TABLE document_member ADD COLUMN added_at BIGINT NOT NULL DEFAULT 0',
    `CREATE TABLE note_thread (
      id ${d.text} PRIMARY KEY, note_id ${d.text} NOT NULL, quote ${d.text} NOT NULL, text_before ${d.text} NOT NULL,
      text_after ${d.text} NOT NULL, place BIGINT NOT NULL, heading ${d.text} NOT NULL, created_at BIGINT NOT NULL,
      resolved_at BIGINT, resolved_by ${d.text} NOT NULL)`,
    'CREATE INDEX note_thread_note ON note_thread(note_id, id)',
    `CREATE TABLE note_comment (
      id ${d.text} PRIMARY KEY, thread_id ${d.text} NOT NULL, note_id ${d.text} NOT NULL, user_id ${d.text} NOT NULL,
      text ${d.text} NOT NULL, bytes BIGINT NOT NULL, created_at BIGINT NOT NULL, edited_at BIGINT)`,
    'CREATE INDEX note_comment_thread ON note_comment(thread_id, id)',
    'CREATE INDEX note_comment_note ON note_comment(note_id, id)',
    `CREATE TABLE comment_notice (
      user_id ${d.text} NOT NULL, subject_id ${d.text} NOT NULL, entry_id ${d.text} NOT NULL, kind ${d.text} NOT NULL,
      thread_id ${d.text} NOT NULL, reason ${d.text} NOT NULL, author_id ${d.text} NOT NULL, version BIGINT NOT NULL,
      at BIGINT NOT NULL, PRIMARY KEY (user_id, subject_id, entry_id))`,
    'CREATE INDEX comment_notice_user ON comment_notice(user_id, at DESC)',
    'CREATE INDEX comment_notice_subject ON comment_notice(subject_id, thread_id)',
    `CREATE TABLE follow (
      user_id ${d.text} NOT NULL, kind ${d.text} NOT NULL, subject_id ${d.text} NOT NULL, is_following BIGINT NOT NULL,
      created_at BIGINT NOT NULL, PRIMARY KEY (user_id, kind, subject_id))`,
    'CREATE INDEX follow_subject ON follow(subject_id, user_id)',
    `CREATE TABLE inbox_read (
      user_id ${d.text} NOT NULL, line_id ${d.text} NOT NULL, read_at BIGINT NOT NULL, PRIMARY KEY (user_id, line_id))`,
  ],
};
