import type { Migration } from './migration.ts';

/** Adds the time of the newest complete backup. The table is empty until the first backup and then has one row. */
export const lastBackup: Migration = {
  number: 33,
  name: 'last backup',
  worksWith: 23,
  statements: (d) => [`CREATE TABLE last_backup (name ${d.text} PRIMARY KEY, created_at BIGINT NOT NULL)`],
};
