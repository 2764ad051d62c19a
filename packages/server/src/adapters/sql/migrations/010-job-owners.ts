import type { Migration } from './migration.ts';

/**
 * Adds the owner of a background job: the user for whom it runs. Owners take turns when jobs are claimed, so that an
 * owner with many jobs does not delay the others.
 */
export const jobOwners: Migration = {
  number: 10,
  name: 'jobs by their owner',
  statements: (d) => [
    `ALTER TABLE job ADD COLUMN owner ${d.text} NOT NULL DEFAULT ''`,
    'CREATE INDEX job_owner ON job(state, owner, run_at, id)',
  ],
};
