import type { Migration } from './migration.ts';

/**
 * Adds the reason that a caller may give for a write to the audit log and to versions of notes. Revisions of
 * spreadsheets need no new column, because they store it in their column `tool`. Also adds an index to find files of
 * equal size.
 */
export const writeReasons: Migration = {
  number: 30,
  name: 'reasons of writes',
  worksWith: 23,
  statements: (d) => [
    `ALTER TABLE audit ADD COLUMN reason ${d.text} NOT NULL DEFAULT ''`,
    `ALTER TABLE note_version ADD COLUMN reason ${d.text} NOT NULL DEFAULT ''`,
    'CREATE INDEX wiki_item_size ON wiki_item(file_size) WHERE is_file = 1 AND deleted_at IS NULL',
  ],
};
