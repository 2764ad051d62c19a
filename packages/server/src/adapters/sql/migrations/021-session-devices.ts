import type { Migration } from './migration.ts';

/** What a person signed in with, so that they know their sessions apart; those from before have none. */
export const sessionDevices: Migration = {
  number: 21,
  name: 'devices of sessions',
  statements: (d) => [`ALTER TABLE web_session ADD COLUMN device ${d.text} NOT NULL DEFAULT ''`],
};
