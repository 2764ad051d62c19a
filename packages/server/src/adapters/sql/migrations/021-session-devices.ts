import type { Migration } from './migration.ts';

/** Device of each session, so that users can tell their sessions apart; '' for existing sessions. */
export const sessionDevices: Migration = {
  number: 21,
  name: 'devices of sessions',
  statements: (d) => [`ALTER TABLE web_session ADD COLUMN device ${d.text} NOT NULL DEFAULT ''`],
};
