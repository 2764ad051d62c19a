import type { Migration } from './migration.ts';

/** Adds the time of the newest complete backup. The table has one row, and none before the first backup. */
export const lastBackup: Migration = {
  number: 33,
  name: 'last backup',
  worksWith: 23,
  statements: (d) => [`CREATE TABLE last_backup (name ${d.text} PRIMARY KEY, created_at BIGINT NOT NULL)`],
};
