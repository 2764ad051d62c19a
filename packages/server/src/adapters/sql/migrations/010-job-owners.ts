import type { Migration } from './migration.ts';

/** Jobs are taken in turn among those they are done for: however much one person sends, the next one's are not behind it. */
export const jobOwners: Migration = {
  number: 10,
  name: 'jobs by their owner',
  statements: (d) => [
    `ALTER TABLE job ADD COLUMN owner ${d.text} NOT NULL DEFAULT ''`,
    'CREATE INDEX job_owner ON job(state, owner, run_at, id)',
  ],
};
