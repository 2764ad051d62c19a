import type { Migration } from './migration.ts';

/**
 * Adds CRC-32 checksums of note versions (of their stored bytes) and of spreadsheet revisions (of the changes followed
 * by their inverse). Rows written by earlier versions have no checksum.
 */
export const checksums: Migration = {
  number: 32,
  name: 'checksums',
  worksWith: 23,
  statements: () => [
    'ALTER TABLE note_version ADD COLUMN checksum BIGINT',
    'ALTER TABLE revision ADD COLUMN checksum BIGINT',
  ],
};
