import { JobRunner } from '../adapters/jobs/runner.ts';
import type { Services } from '../context.ts';
import { ParseItem } from '../wiki/jobs/parse.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

/** Parses what was added, here or, where another process has the jobs, not at all. */
export async function openJobs(
  services: Services,
  { database, jobs }: Storage,
  isRunning: boolean,
  opened: Opened,
): Promise<JobRunner> {
  const runner = new JobRunner({ queue: jobs, handlers: [new ParseItem(services)], log: services.log });
  opened.add('the jobs', runner, () => runner.stop());
  if (!isRunning) return runner;
  // Whoever held a lease of this folder is gone.
  if (database.dialect.name === 'sqlite') await jobs.endLeases();
  runner.start();
  return runner;
}
