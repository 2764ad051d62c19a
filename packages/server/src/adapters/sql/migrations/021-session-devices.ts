import type { Migration } from './migration.ts';

/** Adds the device of each session, by which users recognize their sessions. It is '' for existing sessions. */
export const sessionDevices: Migration = {
  number: 21,
  name: 'devices of sessions',
  statements: (d) => [`ALTER TABLE web_session ADD COLUMN device ${d.text} NOT NULL DEFAULT ''`],
};
