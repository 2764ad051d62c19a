import type { Migration } from './migration.ts';

/**
 * Adds a column to the audit log and to versions of notes for the reason that a caller may state for a write. Revisions
 * of spreadsheets need no new column, because their column `tool` contains the reason. Also adds an index to find files
 * of equal size.
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
