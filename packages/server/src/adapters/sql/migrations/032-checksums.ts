import type { Migration } from './migration.ts';

/**
 * Adds checksums of what notes and spreadsheets store: CRC-32 of a version's stored bytes, and of a revision's changes
 * and their inverse. Rows of earlier versions have none.
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
