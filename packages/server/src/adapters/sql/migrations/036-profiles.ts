import type { Migration } from './migration.ts';

/** Adds user profiles. Also marks sessions that began with a one-time link. */
export const profiles: Migration = {
  number: 36,
  name: 'profiles',
  worksWith: 23,
  statements: (d) => [
    `CREATE TABLE user_profile (
      user_id ${d.text} PRIMARY KEY REFERENCES user_account(id), display_name ${d.text} NOT NULL,
      language ${d.text} NOT NULL, time_zone ${d.text} NOT NULL, picture ${d.text} NOT NULL)`,
    'ALTER TABLE web_session ADD COLUMN is_by_link BIGINT NOT NULL DEFAULT 0',
  ],
};
